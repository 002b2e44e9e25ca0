package io.penstock.deploy;

import org.jspecify.annotations.Nullable;

/** The running start of an application. If the start takes very long, the log shows the stack of its thread. Thread: any. */
public final class RunningStart {
    private volatile @Nullable Thread thread;

    /** Called by the thread that starts the application, when the start begins. */
    public void begin() {
        thread = Thread.currentThread();
    }

    /** The current stack of the starting thread, for the log. */
    public Throwable stack() {
        Thread starter = thread;
        if (starter == null) {
            return new Throwable("no thread has begun the start");
        }
        Throwable stack = new Throwable("the stack of " + starter.getName());
        stack.setStackTrace(starter.getStackTrace());
        return stack;
    }
}

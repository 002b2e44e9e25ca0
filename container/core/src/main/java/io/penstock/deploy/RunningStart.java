package io.penstock.deploy;

import org.jspecify.annotations.Nullable;

/** The running start of an application, which may hang. Thread: any. */
public final class RunningStart {
    private volatile @Nullable Thread thread;

    /** The calling thread has begun the start. */
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

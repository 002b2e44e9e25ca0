package io.penstock.deploy;

import org.jspecify.annotations.Nullable;

/** The start of an application that goes on, perhaps for ever. Thread: any. */
public final class RunningStart {
    private volatile @Nullable Thread thread;

    /** The calling thread begins with the start. */
    public void begin() {
        thread = Thread.currentThread();
    }

    /** Where the thread of the start is now, for the log. */
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

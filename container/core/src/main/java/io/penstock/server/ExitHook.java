package io.penstock.server;

/**
 * Closes a server when its JVM ends, by a signal or by {@code System.exit}.
 *
 * <p>Thread: any. Owns: a thread. When the JVM begins to end, the JVM starts this thread and waits for its end.
 */
public final class ExitHook {
    private final Thread thread;

    private ExitHook(Thread thread) {
        this.thread = thread;
    }

    /**
     * @param stop runs at most once. The JVM waits until {@code stop} has returned
     * @throws IllegalStateException if the JVM is ending already
     */
    public static ExitHook install(Runnable stop) {
        // The thread does not inherit the thread locals of the starting thread.
        Thread thread = new Thread(null, stop, "penstock-exit", 0, false);
        thread.setContextClassLoader(null);
        Runtime.getRuntime().addShutdownHook(thread);
        return new ExitHook(thread);
    }

    /** Removes the hook. Then the JVM has no reference to the server. A second call has no effect. */
    public void remove() {
        try {
            Runtime.getRuntime().removeShutdownHook(thread);
        } catch (IllegalStateException e) {
            // The JVM is ending, and the hook runs or has run.
            return;
        }
    }
}

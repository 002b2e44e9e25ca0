package io.penstock.server;

/**
 * Closes a server when its JVM ends, by a signal or by {@code System.exit}.
 *
 * <p>Thread: any. Owns: a thread. The JVM starts this thread when the JVM begins to end, and waits for it.
 */
public final class ExitHook {
    private final Thread thread;

    private ExitHook(Thread thread) {
        this.thread = thread;
    }

    /**
     * @param stop runs once at most; the JVM ends when it returns
     * @throws IllegalStateException if the JVM is ending already
     */
    public static ExitHook install(Runnable stop) {
        // The thread does not inherit the thread locals of the starting thread.
        Thread thread = new Thread(null, stop, "penstock-exit", 0, false);
        thread.setContextClassLoader(null);
        Runtime.getRuntime().addShutdownHook(thread);
        return new ExitHook(thread);
    }

    /** Removes the hook, so that the JVM no longer references the server. Idempotent. */
    public void remove() {
        try {
            Runtime.getRuntime().removeShutdownHook(thread);
        } catch (IllegalStateException e) {
            return; // the JVM is ending: the hook runs or has run
        }
    }
}

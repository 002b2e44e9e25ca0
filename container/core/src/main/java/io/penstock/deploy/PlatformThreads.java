package io.penstock.deploy;

/**
 * Frees an application's class loader from threads that the platform has started for itself while the application was the first to need
 * them, such as the process reaper. They have inherited the application's class loader, and the application cannot end them.
 *
 * <p>Thread: the one that stops the application.
 */
record PlatformThreads(ClassLoader application) implements AutoCloseable {

    @Override
    public void close() {
        for (Thread thread : RemainingThreads.all()) {
            if (isPlatforms(thread) && RemainingThreads.isWithin(thread.getContextClassLoader(), application)) {
                thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
            }
        }
    }

    /** Whether it is in the system thread group, which has no threads of programs. */
    private static boolean isPlatforms(Thread thread) {
        ThreadGroup group = thread.getThreadGroup(); // null once it has ended
        return group != null && group.getParent() == null && thread.getClass().getClassLoader() == null;
    }
}

package io.penstock.deploy;

/**
 * Threads that the platform has started for itself while an application was the first to need them, such as the one that waits for the end
 * of processes: they have the application's class loader by inheritance, for as long as they live, which the application cannot end.
 *
 * <p>Thread: the one that stops the application.
 */
record PlatformThreads(ClassLoader application) implements AutoCloseable {

    /** They need no application's classes. */
    @Override
    public void close() {
        for (Thread thread : ThreadsLeft.all()) {
            if (isPlatforms(thread) && ThreadsLeft.isWithin(thread.getContextClassLoader(), application)) {
                thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
            }
        }
    }

    /** Whether it is in the platform's own group, in which threads of programs are not. */
    private static boolean isPlatforms(Thread thread) {
        ThreadGroup group = thread.getThreadGroup(); // null once it has ended
        return group != null && group.getParent() == null && thread.getClass().getClassLoader() == null;
    }
}

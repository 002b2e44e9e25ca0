package io.penstock.deploy;

/**
 * Removes an application's class loader from threads of the JDK, such as the process reaper. The JDK starts these threads at their first
 * use. If the first use is in an application, the thread inherits the application's class loader. The application cannot end the thread.
 *
 * <p>Thread: the thread that stops the application.
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

    /** Whether the thread is in the system thread group, which has only threads of the JDK. */
    private static boolean isPlatforms(Thread thread) {
        // The group is null after the thread has ended.
        ThreadGroup group = thread.getThreadGroup();
        return group != null && group.getParent() == null && thread.getClass().getClassLoader() == null;
    }
}

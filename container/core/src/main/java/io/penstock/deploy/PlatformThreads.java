package io.penstock.deploy;

/**
 * Removes an application's class loader from threads of the JDK, such as the process reaper. The JDK starts such a thread when it is first
 * needed. If an application has needed it first, the thread has inherited the application's class loader. The application cannot end the
 * thread.
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

    /** Whether the thread is in the system thread group. That group has only threads of the JDK. */
    private static boolean isPlatforms(Thread thread) {
        ThreadGroup group = thread.getThreadGroup(); // null once the thread has ended
        return group != null && group.getParent() == null && thread.getClass().getClassLoader() == null;
    }
}

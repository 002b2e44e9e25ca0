package io.penstock.memory;

import java.security.AccessController;
import java.security.PrivilegedAction;
import java.util.function.Supplier;

/**
 * Makes threads that keep nothing of the thread that makes them. Code of an application can cause the start of a thread of the server, and
 * the new thread can exist longer than the application.
 *
 * <p>Thread: any.
 */
public final class DetachedThread {
    private DetachedThread() {}

    /** Makes a thread. */
    public static Thread of(Runnable task, String name) {
        return made(() -> new Thread(null, task, name, 0, false));
    }

    /**
     * Makes a thread that inherits neither context class loader nor priority. Up to Java 23, a new thread also keeps the access control
     * context of its creator, which refers to classes on the stack. {@code doPrivileged} prevents references to classes of the application.
     *
     * @param maker makes a thread that inherits no thread-local values
     */
    @SuppressWarnings({"removal", "ThreadPriorityCheck"}) // the usual priority, also if that of the caller is another
    public static <T extends Thread> T made(Supplier<T> maker) {
        T thread = AccessController.doPrivileged((PrivilegedAction<T>) maker::get);
        thread.setContextClassLoader(DetachedThread.class.getClassLoader());
        thread.setPriority(Thread.NORM_PRIORITY);
        return thread;
    }
}

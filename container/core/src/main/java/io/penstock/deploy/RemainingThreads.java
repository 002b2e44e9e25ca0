package io.penstock.deploy;

import io.penstock.work.Workers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the threads of a stopped application that have not ended. Two class loaders of a thread are checked: the context class loader, and
 * the class loader of the thread's class. The thread belongs to the application if one of them is the application's class loader or a child
 * of it. Thread: a worker.
 */
final class RemainingThreads {
    private RemainingThreads() {}

    /** The names of the threads of the application. */
    static List<String> of(ClassLoader application) {
        List<String> names = new ArrayList<>();
        for (Thread thread : all()) {
            if (!Workers.isWorker(thread)
                    && thread.isAlive()
                    && (isWithin(thread.getContextClassLoader(), application)
                            || isWithin(thread.getClass().getClassLoader(), application))) {
                names.add(thread.getName());
            }
        }
        return names;
    }

    /** All threads of the JVM. */
    static List<Thread> all() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        for (ThreadGroup parent = group.getParent(); parent != null; parent = parent.getParent()) {
            group = parent;
        }
        // enumerate() skips threads for which the array has no room, and activeCount() is only an estimate.
        Thread[] found = new Thread[2 * group.activeCount() + 16];
        int count = group.enumerate(found);
        return Arrays.asList(found).subList(0, count);
    }

    /** Whether {@code loader} is the application's class loader, or a child of it. */
    static boolean isWithin(@Nullable ClassLoader loader, ClassLoader application) {
        for (ClassLoader next = loader; next != null; next = next.getParent()) {
            if (next == application) {
                return true;
            }
        }
        return false;
    }
}

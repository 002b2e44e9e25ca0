package io.penstock.loadtest.client;

import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * The few tasks that must run at an exact time, such as the next request of a constant rate. A task that may be a millisecond
 * late, and usually never runs, belongs on the loop's wheel.
 *
 * <p>Thread: the loop.
 */
final class ExactTasks {
    private record Entry(long at, Runnable task) {}

    private final PriorityQueue<Entry> entries = new PriorityQueue<>(Comparator.comparingLong(Entry::at));

    void add(long at, Runnable task) {
        entries.add(new Entry(at, task));
    }

    /** Nanoseconds until the next task is due, at least 0; {@link Long#MAX_VALUE} if there is none. */
    long nanosToNext(long now) {
        Entry next = entries.peek();
        return next == null ? Long.MAX_VALUE : Math.max(0, next.at - now);
    }

    /** Runs all tasks that are due, including those that they add meanwhile. */
    void runDue(long now) {
        for (Entry next = entries.peek(); next != null && next.at <= now; next = entries.peek()) {
            entries.remove();
            next.task.run();
        }
    }
}

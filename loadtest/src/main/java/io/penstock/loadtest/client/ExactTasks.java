package io.penstock.loadtest.client;

import java.util.Comparator;
import java.util.PriorityQueue;

/**
 * The tasks that must run at an exact time, such as the next request of a load with a constant rate. There are only a few such tasks.
 * Timers that usually never expire, and may be a millisecond late, use the timer wheel of the {@link ClientLoop}.
 *
 * <p>Thread: the thread of the loop.
 */
final class ExactTasks {
    private record Entry(long at, Runnable task) {}

    private final PriorityQueue<Entry> entries = new PriorityQueue<>(Comparator.comparingLong(Entry::at));

    void add(long at, Runnable task) {
        entries.add(new Entry(at, task));
    }

    /** The number of nanoseconds until the next task is due, at least 0; {@link Long#MAX_VALUE} if there is no task. */
    long nanosToNext(long now) {
        Entry next = entries.peek();
        return next == null ? Long.MAX_VALUE : Math.max(0, next.at - now);
    }

    /** Runs all tasks that are due. If these tasks add other tasks that are due, runs them too. */
    void runDue(long now) {
        for (Entry next = entries.peek(); next != null && next.at <= now; next = entries.peek()) {
            entries.remove();
            next.task.run();
        }
    }
}

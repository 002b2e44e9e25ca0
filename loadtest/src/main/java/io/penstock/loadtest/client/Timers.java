package io.penstock.loadtest.client;

import java.util.Comparator;
import java.util.PriorityQueue;

/** What is to be done at a time. Thread: the loop. Times are those of {@link System#nanoTime}. */
final class Timers {
    private record Timer(long at, Runnable task) {}

    // nanoTime may overflow: times are compared by their difference.
    private static final Comparator<Timer> BY_TIME = (a, b) -> Long.signum(a.at - b.at);

    private final PriorityQueue<Timer> timers = new PriorityQueue<>(BY_TIME);

    void add(long at, Runnable task) {
        timers.add(new Timer(at, task));
    }

    /** Nanoseconds until the next is due, at most {@code most}; 0 or less if one is due. */
    long untilNext(long now, long most) {
        Timer next = timers.peek();
        return next == null ? most : Math.min(most, next.at - now);
    }

    /** Removes the next that is due and runs it; false if none is. */
    boolean runNext(long now) {
        Timer next = timers.peek();
        if (next == null || next.at - now > 0) {
            return false;
        }
        timers.remove();
        next.task.run();
        return true;
    }
}

package io.penstock.work;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that wait, in the order in which they came, and since when each does.
 *
 * <p>Thread: whoever holds the queue's lock.
 */
final class Line {
    private final ArrayDeque<Waiting> jobs = new ArrayDeque<>();

    private record Waiting(Job job, long since) {}

    int size() {
        return jobs.size();
    }

    boolean isEmpty() {
        return jobs.isEmpty();
    }

    void add(Job job, long now) {
        jobs.addLast(new Waiting(job, now));
    }

    /** The one that has waited longest; null if none waits. */
    @Nullable
    Job poll() {
        Waiting first = jobs.pollFirst();
        return first == null ? null : first.job();
    }

    /** Takes one out wherever it is; returns whether it was there. Quick for those that have waited longest. */
    boolean remove(Job job) {
        for (Iterator<Waiting> all = jobs.iterator(); all.hasNext(); ) {
            if (all.next().job() == job) {
                all.remove();
                return true;
            }
        }
        return false;
    }

    /** Takes all out. */
    void drainTo(Consumer<Job> taker) {
        jobs.forEach(waiting -> taker.accept(waiting.job()));
        jobs.clear();
    }

    /** Nanoseconds for which the first has waited; 0 if none waits. */
    long age(long now) {
        Waiting first = jobs.peekFirst();
        return first == null ? 0 : Math.max(0, now - first.since());
    }
}

package io.penstock.work;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Waiting jobs in the order of their arrival, each with its time of arrival.
 *
 * <p>Thread: the holder of the queue's lock.
 */
final class Line {
    private ArrayDeque<Waiting> jobs = new ArrayDeque<>();

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

    /** Removes the job that has waited longest; null if none waits. */
    @Nullable
    Job poll() {
        Waiting first = jobs.pollFirst();
        return first == null ? null : first.job();
    }

    /** Removes a job; returns whether it was there. Fast for jobs that have waited long. */
    boolean remove(Job job) {
        for (Iterator<Waiting> all = jobs.iterator(); all.hasNext(); ) {
            if (all.next().job() == job) {
                all.remove();
                return true;
            }
        }
        return false;
    }

    /** Moves jobs to another line, where all then stand in the order of their arrival. Without memory for that nothing is moved. */
    void moveTo(Line other, Predicate<Job> which) {
        ArrayDeque<Waiting> rest = new ArrayDeque<>(jobs.size() + 1);
        List<Waiting> all = new ArrayList<>(other.jobs);
        for (Waiting waiting : jobs) {
            (which.test(waiting.job()) ? all : rest).add(waiting);
        }
        if (all.size() > other.jobs.size()) {
            all.sort((one, next) -> Long.signum(one.since() - next.since()));
            other.jobs = new ArrayDeque<>(all);
            jobs = rest;
        }
    }

    /** Whether its first job has waited longer than that of the other line, or none waits there. */
    boolean isOlderThan(Line other) {
        Waiting first = jobs.peekFirst();
        Waiting others = other.jobs.peekFirst();
        return first != null && (others == null || first.since() - others.since() < 0);
    }

    /** Removes all jobs. */
    void drainTo(Consumer<Job> taker) {
        jobs.forEach(waiting -> taker.accept(waiting.job()));
        jobs.clear();
    }

    /** Nanoseconds for which the first job has waited; 0 if none waits. */
    long age(long now) {
        Waiting first = jobs.peekFirst();
        return first == null ? 0 : Math.max(0, now - first.since());
    }
}

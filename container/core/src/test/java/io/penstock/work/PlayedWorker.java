package io.penstock.work;

import io.penstock.work.IdleWorkers.Taker;
import org.jspecify.annotations.Nullable;

/** The steps of workers that a test plays itself. */
public final class PlayedWorker {
    private PlayedWorker() {}

    /** Announces up to {@code count} workers. Returns their number. */
    static int start(RequestQueue queue, int count) {
        return queue.ask(jobs -> jobs.workers.start(count));
    }

    /** A worker that has no job takes one. */
    static @Nullable Job take(RequestQueue queue) {
        return queue.take(new Taker(Thread.currentThread(), false, () -> {}));
    }

    /** A worker that was started takes its first job. */
    static @Nullable Job takeFirst(RequestQueue queue) {
        return queue.take(new Taker(Thread.currentThread(), true, () -> {}));
    }

    /** A worker ends its job, and takes the next one. Returns null if there is none: the worker does not sleep. */
    static @Nullable Job takeNext(RequestQueue queue, Job done) {
        return queue.ask(jobs -> {
            jobs.giveBack(done);
            return jobs.next();
        });
    }

    /** A worker takes a job, if one may run: it does not sleep. */
    public static @Nullable Job takeIfAny(RequestQueue queue) {
        return queue.ask(WaitingJobs::next);
    }

    /** A worker ends its job. */
    public static void end(RequestQueue queue, Job done) {
        queue.change(jobs -> jobs.giveBack(done));
    }
}

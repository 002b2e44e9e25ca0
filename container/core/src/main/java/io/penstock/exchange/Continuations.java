package io.penstock.exchange;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.work.Job;
import io.penstock.work.RequestQueue;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * What an exchange still has to do after its worker has left it: jobs, one at a time, in order.
 *
 * <p>Thread: {@link #add} any; the jobs run on workers. It starts out busy, with the first dispatch; {@link #drain} ends that and each
 * later turn.
 */
public final class Continuations implements Job {
    private final RequestQueue queue;
    private final Runnable settled;

    @GuardedBy("this")
    private final ArrayDeque<Runnable> jobs = new ArrayDeque<>(2);

    @GuardedBy("this")
    private boolean busy = true;

    /** @param settled runs on the worker after each turn but the first */
    public Continuations(RequestQueue queue, Runnable settled) {
        this.queue = queue;
        this.settled = settled;
    }

    public void add(Runnable job) {
        synchronized (this) {
            jobs.addLast(job);
            if (busy) {
                return; // whoever is busy will find it
            }
            busy = true;
        }
        queue.resume(this);
    }

    @Override
    public void run() {
        drain();
        settled.run();
    }

    /** Runs what is there, then ends the turn. Thread: the worker whose turn it is. */
    public void drain() {
        for (Runnable job = next(); job != null; job = next()) {
            job.run();
        }
    }

    @Override
    public void abandon() {
        run(); // the workers have ended: whoever wanted to go on does it here, so that nothing is left open
    }

    private synchronized @Nullable Runnable next() {
        Runnable job = jobs.pollFirst();
        busy = job != null;
        return job;
    }
}

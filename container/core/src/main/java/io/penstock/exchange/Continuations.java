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
    private final Owner owner;

    @GuardedBy("this")
    private final ArrayDeque<Runnable> jobs = new ArrayDeque<>(2);

    @GuardedBy("this")
    private boolean busy = true;

    /** Whose continuations they are. */
    @FunctionalInterface
    public interface Owner {

        /** A turn other than the first has ended. Thread: its worker. */
        void settled();

        /** What it is, for the operator. Any thread. */
        default String describe() {
            return "a continuation";
        }
    }

    public Continuations(RequestQueue queue, Owner owner) {
        this.queue = queue;
        this.owner = owner;
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
        owner.settled();
    }

    /** Runs what is there, then ends the turn. Thread: the worker whose turn it is. */
    public void drain() {
        for (Runnable job = next(); job != null; job = next()) {
            job.run();
        }
    }

    @Override
    public String describe() {
        return owner.describe();
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

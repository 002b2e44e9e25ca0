package io.penstock.exchange;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.work.Job;
import io.penstock.work.RequestQueue;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * What an exchange still has to do after its worker has left it: jobs, one at a time, in order.
 *
 * <p>Thread: {@link #add} any; the jobs run on workers. It starts out with a turn, the first dispatch; {@link #drain} ends that and each
 * later turn.
 */
public final class Continuations implements Job {
    private final RequestQueue queue;
    private final Owner owner;

    @GuardedBy("this")
    private final ArrayDeque<Runnable> jobs = new ArrayDeque<>(2);

    @GuardedBy("this")
    private Turn turn = Turn.RUNS;

    /** Who runs what is there. */
    private enum Turn {
        /** Nobody: there is nothing. */
        NONE,
        /** A worker does, or is about to. */
        RUNS,
        /** Nobody until the turn is taken over; what comes waits. */
        HANDED_OVER
    }

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
            if (turn != Turn.NONE) {
                return; // whoever has the turn will find it
            }
            turn = Turn.RUNS;
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

    /**
     * The turn does not end with the running job, but goes on where {@link #takeOver} is called, then {@link #release}. Thread: the worker
     * whose turn it is.
     */
    public synchronized void handOver() {
        turn = Turn.HANDED_OVER;
    }

    /** Goes on with the turn that was handed over. Thread: any, which has the turn from here on. */
    public synchronized void takeOver() {
        turn = Turn.RUNS;
    }

    /** Ends the turn; what has come meanwhile runs in another. Thread: whose turn it is. */
    public void release() {
        synchronized (this) {
            if (jobs.isEmpty()) {
                turn = Turn.NONE;
                return;
            }
        }
        queue.resume(this);
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
        if (turn == Turn.HANDED_OVER) {
            return null;
        }
        Runnable job = jobs.pollFirst();
        turn = job == null ? Turn.NONE : Turn.RUNS;
        return job;
    }
}

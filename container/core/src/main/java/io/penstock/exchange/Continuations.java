package io.penstock.exchange;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.work.Job;
import io.penstock.work.RequestQueue;
import io.penstock.work.WorkerShare;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Runs the jobs of an exchange, one at a time, in order. A turn is the right to run the exchange; one thread at a time has it. The end of a
 * turn and the decision whether the exchange is over are one step under the lock. So no turn runs when the exchange ends. Jobs that are
 * added later run in the state {@code LATE}, and do not end the exchange again.
 *
 * <p>Thread: {@link #add}, {@link #addWhenIdle}, {@link #endTurn} and {@link #takeOver}: any. The others: the thread that has the turn. The
 * jobs run on workers. The first turn is the first dispatch. {@link #runJobs} ends each turn and returns how it has ended; only its caller
 * acts on this result. A worker that has left its turn must not use the exchange, since another turn may run.
 *
 * <pre>
 *   RUNS --runJobs, or release with no job--> NONE --add--> RUNS
 *     | \
 *     |  +--handOver--> HANDED_OVER --takeOver--> RUNS
 *     |
 *     +--runJobs, the exchange is done--> OVER --add--> LATE --runJobs--> OVER
 * </pre>
 */
public final class Continuations implements Job {
    private static final Runnable NO_JOB = () -> {};

    private final RequestQueue queue;
    private final Owner owner;

    // Created with the first job: only asynchronous exchanges have jobs.
    @GuardedBy("this")
    private @Nullable ArrayDeque<Runnable> jobs;

    // Created with the first job of addWhenIdle: only upgraded connections have such jobs.
    @GuardedBy("this")
    private @Nullable ArrayDeque<Runnable> idleJobs;

    @GuardedBy("this")
    private Turn turn = Turn.RUNS;

    /** The state of the turn. */
    private enum Turn {
        /** No turn runs, and no job waits. */
        NONE,
        /** A worker runs the jobs, or will soon. */
        RUNS,
        /** No thread runs the turn until it is taken over; new jobs wait. */
        HANDED_OVER,
        /** No turn runs, and the exchange is over. */
        OVER,
        /** A worker runs jobs that came after the end. */
        LATE
    }

    /** How a turn has ended. */
    public enum End {
        /** Another turn may follow, or the exchange was over before this turn. */
        LEFT,
        /** The turn continues with {@link #takeOver}. */
        HANDED_OVER,
        /** The exchange is over. This is returned once, to one thread, while no other turn runs. */
        OVER
    }

    /** The exchange that the continuations belong to. */
    public interface Owner {

        /**
         * Whether the exchange is over when the present turn ends. Called under a lock, so it must not wait. Thread: the worker of that
         * turn.
         */
        boolean isDone();

        /** A turn other than the first has ended. Thread: its worker. */
        void afterTurn(End end);

        /** As {@link Job#share}. */
        default @Nullable WorkerShare share() {
            return null;
        }

        /** Describes the exchange for operators. Any thread. */
        default String describe() {
            return "a continuation";
        }

        /** When the running part began; see {@link Job#since}. Any thread. */
        default long since(long taken) {
            return taken;
        }
    }

    public Continuations(RequestQueue queue, Owner owner) {
        this.queue = queue;
        this.owner = owner;
    }

    /** Runs {@code job} after all jobs that were added earlier. */
    public void add(Runnable job) {
        boolean begins;
        synchronized (this) {
            if (jobs == null) {
                jobs = new ArrayDeque<>(2);
            }
            jobs.addLast(job);
            begins = beginTurn();
        }
        if (begins) {
            queue.resume(this);
        }
    }

    /**
     * Runs {@code job} when no job of {@link #add} waits: after all jobs that were added earlier, and after the jobs that those jobs add.
     */
    public void addWhenIdle(Runnable job) {
        boolean begins;
        synchronized (this) {
            if (idleJobs == null) {
                idleJobs = new ArrayDeque<>(2);
            }
            idleJobs.addLast(job);
            begins = beginTurn();
        }
        if (begins) {
            queue.resume(this);
        }
    }

    /** Begins a turn for an added job. Returns false if a thread has the turn or will take it over: that thread runs the job. */
    @GuardedBy("this")
    private boolean beginTurn() {
        switch (turn) {
            case NONE -> turn = Turn.RUNS;
            case OVER -> turn = Turn.LATE;
            case RUNS, HANDED_OVER, LATE -> {
                return false;
            }
        }
        return true;
    }

    /** Begins a turn without a job, unless a turn runs. The end of the turn decides whether the exchange is over. Any thread. */
    public void endTurn() {
        add(NO_JOB);
    }

    @Override
    public void run() {
        owner.afterTurn(runJobs());
    }

    /** Runs the jobs, then ends the turn. Thread: the worker whose turn it is. */
    public End runJobs() {
        while (true) {
            Runnable job;
            synchronized (this) {
                job = turn == Turn.HANDED_OVER ? null : nextJob();
                if (job == null) {
                    return end();
                }
            }
            job.run();
        }
    }

    @GuardedBy("this")
    private @Nullable Runnable nextJob() {
        Runnable job = jobs == null ? null : jobs.pollFirst();
        return job != null || idleJobs == null ? job : idleJobs.pollFirst();
    }

    /** Ends the turn, under the same lock as the last check for jobs. So a job that is added later begins another turn. */
    @GuardedBy("this")
    private End end() {
        switch (turn) {
            case RUNS -> {
                boolean over = owner.isDone();
                turn = over ? Turn.OVER : Turn.NONE;
                return over ? End.OVER : End.LEFT;
            }
            case LATE -> {
                turn = Turn.OVER;
                return End.LEFT;
            }
            case HANDED_OVER -> {
                return End.HANDED_OVER;
            }
            default -> throw new IllegalStateException("No turn runs: " + turn);
        }
    }

    /**
     * Keeps the turn beyond the running job. The turn continues with {@link #takeOver} and ends with {@link #release}. Thread: the worker
     * whose turn it is.
     */
    public synchronized void handOver() {
        turn = Turn.HANDED_OVER;
    }

    /** Takes the turn that was handed over. Any thread; the caller has the turn from here on. */
    public synchronized void takeOver() {
        turn = Turn.RUNS;
    }

    /**
     * Ends the turn that was taken over. Jobs that were added meanwhile run in a separate turn. Thread: the caller of {@link #takeOver}.
     */
    public void release() {
        synchronized (this) {
            if ((jobs == null || jobs.isEmpty()) && (idleJobs == null || idleJobs.isEmpty())) {
                turn = Turn.NONE;
                return;
            }
        }
        queue.resume(this);
    }

    @Override
    public @Nullable WorkerShare share() {
        return owner.share();
    }

    @Override
    public String describe() {
        return owner.describe();
    }

    @Override
    public long since(long taken) {
        return owner.since(taken);
    }

    @Override
    public void abandon() {
        run(); // the workers have ended, so the calling thread runs the jobs, and the exchange ends
    }
}

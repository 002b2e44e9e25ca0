package io.penstock.exchange;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.work.Job;
import io.penstock.work.RequestQueue;
import io.penstock.work.WorkerShare;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Runs the jobs of an exchange after its worker has left it, one at a time, in order. At the end of a turn it also decides, in the same
 * locked step, whether the exchange is over. So no turn runs at that moment. Jobs that come later run as {@code LATE} and decide nothing.
 *
 * <p>Thread: {@link #add}, {@link #addWhenIdle}, {@link #endTurn} and {@link #takeOver} any; the others the thread that has the turn. The
 * jobs run on workers. The first turn is the first dispatch. {@link #runJobs} ends that and each later turn, and returns how it has ended.
 * Only the caller of {@code runJobs} acts on this result. A worker that has left its turn must not look at the exchange, since another turn
 * may run.
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

    // Made when the first job is added: only an asynchronous exchange has jobs.
    @GuardedBy("this")
    private @Nullable ArrayDeque<Runnable> jobs;

    // Made when the first such job is added: only upgraded connections have them.
    @GuardedBy("this")
    private @Nullable ArrayDeque<Runnable> idleJobs;

    @GuardedBy("this")
    private Turn turn = Turn.RUNS;

    /** The state of the turn. */
    private enum Turn {
        /** No turn runs, and no job waits. */
        NONE,
        /** A worker runs the jobs, or is about to. */
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
        /** Another turn may follow, or the exchange was over before this one. */
        LEFT,
        /** The turn goes on at {@link #takeOver}. */
        HANDED_OVER,
        /** The exchange is over: returned once, to one thread. No other turn of it runs. */
        OVER
    }

    /** The exchange that the continuations belong to. */
    public interface Owner {

        /**
         * Whether the exchange has nothing more to do, so that it is over with the turn that ends now. Thread: the worker of that turn,
         * with a lock; must not wait.
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

        /** When the part that runs now began; see {@link Job#since}. Any thread. */
        default long since(long taken) {
            return taken;
        }
    }

    public Continuations(RequestQueue queue, Owner owner) {
        this.queue = queue;
        this.owner = owner;
    }

    /** Runs {@code job} after those that were added before. */
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

    /** Runs {@code job} as soon as no job of {@link #add} waits: after all jobs that were added before, and the jobs that they add. */
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

    /** A job has been added. Returns false if the thread that has the turn, or takes it over, will find it. */
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

    /** Begins a turn without a job, unless one runs. Its end decides whether the exchange is over. Any thread. */
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

    /** Ends the turn in one step with the last look at the jobs: a job that is added later begins another turn. */
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
     * The turn does not end with the running job. It goes on when {@link #takeOver} is called, and ends with {@link #release}. Thread: the
     * worker whose turn it is.
     */
    public synchronized void handOver() {
        turn = Turn.HANDED_OVER;
    }

    /** Takes the turn that was handed over. Any thread; the caller has the turn from here on. */
    public synchronized void takeOver() {
        turn = Turn.RUNS;
    }

    /**
     * Ends the turn that was taken over. Jobs that were added meanwhile run in a turn of their own. Thread: the caller of {@link
     * #takeOver}.
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

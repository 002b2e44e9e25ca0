package io.penstock.exchange;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.work.Job;
import io.penstock.work.Lane;
import io.penstock.work.Mapping;
import io.penstock.work.RequestQueue;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs the jobs of an {@link Exchange}, one at a time, in the order of their addition. A turn is the right to run code of the exchange. At
 * most one thread has the turn. The end of a turn and the decision whether the exchange is over are one atomic step under the lock. So no
 * turn runs when the exchange ends. Jobs that are added after the end of the exchange run in the state {@code LATE}, and do not end the
 * exchange again.
 *
 * <p>Thread: {@link #add}, {@link #addWhenIdle}, {@link #endTurn} and {@link #takeOver}: any. All other methods: the thread that has the
 * turn. The jobs run on workers. The first turn begins with the dispatch of the request to a worker. {@link #runJobs} ends each turn, and
 * returns to its caller how the turn has ended. Only this caller may act on the result. A worker that has ended its turn must not use the
 * exchange, since another turn may run. If jobs come without a pause, such as those of a WebSocket client that sends all the time, and other
 * jobs wait for a worker, the turn ends after {@link #LONG} and the rest runs later.
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

    /** For how many nanoseconds a turn goes on with further jobs while jobs of others wait for its worker. */
    private static final long LONG = TimeUnit.MILLISECONDS.toNanos(5);

    private final RequestQueue queue;
    private final Owner owner;

    // Created when the first job is added, since only asynchronous exchanges have jobs.
    @GuardedBy("this")
    private @Nullable ArrayDeque<Runnable> jobs;

    // Created when addWhenIdle() adds the first job, since only upgraded connections have such jobs.
    @GuardedBy("this")
    private @Nullable ArrayDeque<Runnable> idleJobs;

    @GuardedBy("this")
    private Turn turn = Turn.RUNS;

    /** The state of the turn. */
    private enum Turn {
        /** No turn runs, and no job waits. */
        NONE,
        /** A worker runs the jobs, or will run them soon. */
        RUNS,
        /** No thread has the turn until {@link #takeOver} is called. New jobs wait. */
        HANDED_OVER,
        /** No turn runs, and the exchange is over. */
        OVER,
        /** A worker runs jobs that were added after the end of the exchange. */
        LATE
    }

    /** How a turn has ended. */
    public enum End {
        /** Another turn can follow, or the exchange was over before this turn. */
        LEFT,
        /** The turn continues with {@link #takeOver}. */
        HANDED_OVER,
        /** The exchange is over. For each exchange, {@code OVER} is returned only once, while no other turn runs. */
        OVER
    }

    /** The exchange that the continuations belong to. */
    public interface Owner {

        /**
         * Whether the exchange is over when the current turn ends. This method must not wait, since it is called under a lock. Thread: the
         * worker of the current turn.
         */
        boolean isDone();

        /** Called when a turn has ended, except after the first turn. Thread: the worker of this turn. */
        void afterTurn(End end);

        /**
         * A job has thrown. Jobs handle the failures of the application, so memory was short. The next job follows. Thread: the worker of
         * the current turn.
         */
        default void jobFailed(Throwable thrown) {
            throw new IllegalStateException(thrown);
        }

        /** The share of the exchange's bulkhead, as in {@link Job#lane}. */
        default @Nullable Lane lane() {
            return null;
        }

        /** The mapping of the exchange, as in {@link Job#mapping}. */
        default @Nullable Mapping mapping() {
            return null;
        }

        /** Whether the calling thread will soon call {@link RequestQueue#wakeChosen}, so that one wake-up serves several turns. Any thread. */
        default boolean wakesLater() {
            return false;
        }

        /** Describes the exchange for operators. Any thread. */
        default String describe() {
            return "a continuation";
        }

        /** The time when the running part of the exchange began, as in {@link Job#since}. Any thread. */
        default long since(long taken) {
            return taken;
        }
    }

    public Continuations(RequestQueue queue, Owner owner) {
        this.queue = queue;
        this.owner = owner;
    }

    /** Runs {@code job} on a worker, after all jobs that were added earlier. */
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
            queueTurn();
        }
    }

    /**
     * Runs {@code job} on a worker, when no job of {@link #add} waits. So {@code job} runs after all jobs that were added earlier, and
     * after the jobs that those earlier jobs add.
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
            queueTurn();
        }
    }

    private void queueTurn() {
        if (owner.wakesLater()) {
            queue.resumeOneOfMany(this);
        } else {
            queue.resume(this);
        }
    }

    /**
     * Begins a turn for an added job. Returns false if a thread already has the turn or will take over the turn. That thread runs the job.
     */
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

    /**
     * Begins a turn without a job if no turn runs. At the end of the turn, {@link Owner#isDone} decides whether the exchange is over. Any
     * thread.
     */
    public void endTurn() {
        add(NO_JOB);
    }

    @Override
    public void run() {
        owner.afterTurn(runJobs());
    }

    /** Runs the waiting jobs, then ends the turn. Thread: the worker that has the turn. */
    public End runJobs() {
        // The time since when others are known to wait for the worker. Most turns have one job, and need no time.
        long since = 0;
        boolean wanted = false;
        boolean givesWay = false;
        while (true) {
            Runnable job;
            synchronized (this) {
                if (turn == Turn.HANDED_OVER || !hasJob()) {
                    return end();
                }
                job = givesWay ? null : nextJob();
            }
            if (job == null) {
                if (runsLater()) {
                    return End.LEFT;
                }
                givesWay = false;
                continue;
            }
            try {
                job.run();
            } catch (Throwable t) {
                // Otherwise the turn would never end.
                owner.jobFailed(t);
            }
            if (queue.wantsWorkerOf(this)) {
                long now = queue.nanos();
                since = wanted ? since : now;
                wanted = true;
                givesWay = now - since >= LONG;
            }
        }
    }

    /** Leaves the waiting jobs to a later worker, which gets the turn. Returns false if there is none. */
    private boolean runsLater() {
        try {
            return queue.resumeLater(this);
        } catch (OutOfMemoryError e) {
            return false; // this worker goes on, and will try again
        }
    }

    @GuardedBy("this")
    private boolean hasJob() {
        return (jobs != null && !jobs.isEmpty()) || (idleJobs != null && !idleJobs.isEmpty());
    }

    @GuardedBy("this")
    private @Nullable Runnable nextJob() {
        Runnable job = jobs == null ? null : jobs.pollFirst();
        return job != null || idleJobs == null ? job : idleJobs.pollFirst();
    }

    /** Ends the turn. The caller has held the lock since its last check for jobs. So a job that is added later begins another turn. */
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
     * Keeps the turn after the end of the running job. The turn continues with {@link #takeOver} and ends with {@link #release}. Thread:
     * the worker that has the turn.
     */
    public synchronized void handOver() {
        turn = Turn.HANDED_OVER;
    }

    /** Continues the turn that {@link #handOver} has kept. From now on, the caller has the turn. Any thread. */
    public synchronized void takeOver() {
        turn = Turn.RUNS;
    }

    /** Ends the turn after {@link #takeOver}. Jobs that were added meanwhile run on a worker. Thread: the caller of {@link #takeOver}. */
    public void release() {
        synchronized (this) {
            if (!hasJob()) {
                turn = Turn.NONE;
                return;
            }
        }
        queue.resume(this);
    }

    @Override
    public @Nullable Lane lane() {
        return owner.lane();
    }

    @Override
    public @Nullable Mapping mapping() {
        return owner.mapping();
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
        // The workers have ended. So the calling thread runs the jobs, and the exchange ends.
        run();
    }
}

package io.penstock.work;

import java.util.ArrayDeque;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The workers that have no job. A worker without a job either sleeps, or is awake and searches for a job in the {@link RequestQueue}. A
 * woken worker is not given a job. It takes a job from the queue itself. While a woken worker has not yet looked into the queue, no other
 * worker is woken. A wake-up is the most expensive part of handing over a job. So one wake-up serves all jobs that are queued until the
 * woken worker looks into the queue. If more jobs wait when the worker takes a job, the worker wakes another worker before it runs its job.
 *
 * <p>The worker that fell asleep last is woken first, since its data is probably still in the caches of the processor.
 *
 * <p>Thread: the holder of the queue's lock. Without the lock, a worker calls {@link Taker#sleep}, and any thread calls {@link Taker#run},
 * {@link Taker#isAsleep}, {@link #started} and {@link #isLeaving}.
 */
final class IdleWorkers {

    /** This number of workers does not end, so that the first requests after a pause find a worker. */
    static final int MIN = 2;

    /** If at least this number of workers use a processor, more workers would not help. */
    static final int USEFUL = 2 * Runtime.getRuntime().availableProcessors();

    private enum State {
        /** The worker has a job, or looks for one of its own accord. */
        AWAKE,
        ASLEEP,
        /** The worker was woken or started, and has not looked into the queue yet. */
        SEARCHES
    }

    /** A worker, as the queue knows it: a thread that takes one job after another. To run it wakes the worker. */
    static final class Taker implements Runnable {
        private final Thread thread;
        private volatile State state;
        private final Runnable sendsLeft;
        private int generation = -1; // unknown until the first look into the queue

        /** The client whose last job has left something to be sent; null if none has. Only the worker uses it. */
        @Nullable
        Client left;

        /** The job that the worker has taken. Its places are given back when the worker comes for the next job. */
        @Nullable
        Job job;

        /**
         * @param announced whether {@link #start} has announced the worker
         * @param sendsLeft runs when something is {@link #left}, and the worker has taken its next {@link #job}, or has found none and is about
         *     to sleep or to end. Must not throw
         */
        Taker(Thread thread, boolean announced, Runnable sendsLeft) {
            this.thread = thread;
            this.sendsLeft = sendsLeft;
            this.state = announced ? State.SEARCHES : State.AWAKE;
        }

        boolean isAwake() {
            return state == State.AWAKE;
        }

        /** Whether the worker has no job, and sleeps. Any thread. */
        boolean isAsleep() {
            return state == State.ASLEEP;
        }

        void sendLeft() {
            sendsLeft.run();
        }

        /** Sleeps until the worker must search, or until {@code nanos} have passed. Returns whether it must search. */
        boolean sleep(long nanos) {
            long end = System.nanoTime() + nanos;
            for (long left = nanos; state == State.ASLEEP && left > 0; left = end - System.nanoTime()) {
                LockSupport.parkNanos(this, left);
                // Clear a late interrupt of the previous job. Otherwise parkNanos() would return at once.
                Thread.interrupted();
            }
            return state == State.SEARCHES;
        }

        @Override
        public void run() {
            LockSupport.unpark(thread);
        }
    }

    /** Wakes and starts no worker. */
    static final Runnable NOBODY = () -> {};

    /**
     * Up to this number, a worker is started whenever a job waits and no worker is idle, without a look at the application: eight for each
     * processor, and at least 32. They let a quick servlet run beside some that compute for long.
     */
    final int usual = Math.max(32, 8 * Runtime.getRuntime().availableProcessors());

    private final ArrayDeque<Taker> asleep;
    private Runnable startOne = NOBODY;
    private Runnable grow = NOBODY;

    /** The largest number of workers; 0 while nobody can start workers. */
    int most;

    private int searching;
    private volatile int started;

    /** The started workers that are about to end without a successor. */
    private int goingAway;

    /** Whether the next worker beyond the usual number would not help now. Then mappings share the started workers. */
    boolean growthRefused;

    /** Whether no thread can be created now. */
    private volatile boolean withoutThreads;

    /** The number of renewals. A worker of an earlier generation must end. */
    private int generation;

    /** The worker that is ending now and has no successor yet. */
    private volatile @Nullable Taker ending;

    /** @param most the largest number of workers */
    IdleWorkers(int most) {
        // The deque has room for all workers from the start, since it cannot grow when memory is exhausted. There are
        // two extra places because a replaced worker and its successor can sleep at the same time.
        asleep = new ArrayDeque<>(most + 2);
    }

    /**
     * From now on, up to {@code workers} can be started. Called once, before the first job.
     *
     * @param startsOne starts a worker that {@link #searcher} has announced
     * @param grows decides soon whether more workers than the usual number help, since jobs wait for them
     */
    void startWith(int workers, Runnable startsOne, Runnable grows) {
        most = workers;
        startOne = startsOne;
        grow = grows;
    }

    /** The number of workers that have been started and have not ended. Any thread. */
    int started() {
        return started;
    }

    /** The number of workers that can still be started. */
    int startable() {
        return withoutThreads ? 0 : Math.max(0, most - started);
    }

    /**
     * No job waits for more workers. Growth remains refused while there are more workers than usual and some are idle: those that were started
     * for mappings without a worker, which the next jobs of other mappings must not take. Returns whether it remains refused.
     */
    boolean staysRefused() {
        growthRefused &= started > usual && count() > 0;
        return growthRefused;
    }

    /** The number of workers that have no job. */
    int count() {
        return asleep.size() + searching;
    }

    /** The number of workers that are idle, or that can be started if more workers help. */
    int room() {
        return count() + (growthRefused ? 0 : startable());
    }

    // ---- more and fewer workers

    /** Announces up to {@code count} further workers, which begin with a search. Returns their number: not more than can be started. */
    int start(int count) {
        int more = Math.max(0, Math.min(count, startable()));
        started = started() + more;
        searching += more;
        return more;
    }

    /** A worker that was announced could not be started. No other is started until {@link #mayStart}. */
    void notStarted() {
        started = started() - 1;
        searching--;
        withoutThreads = true;
    }

    /** Perhaps threads can be created again. Any thread. */
    void mayStart() {
        withoutThreads = false;
    }

    /** Whether a worker that has slept for long ends without a successor: not if it must search, or if only {@link #MIN} are left. */
    boolean goesAway(Taker worker) {
        if (started - goingAway <= MIN || worker.state == State.SEARCHES) {
            return false;
        }
        goingAway++;
        asleep.remove(worker);
        return true;
    }

    /** A worker that {@link #goesAway} has ended, and its place is free. */
    void ended() {
        started = started() - 1;
        goingAway--;
    }

    // ---- sleep and search

    /** A worker looks into the queue. */
    void look(Taker worker) {
        if (worker.generation < 0) {
            worker.generation = generation;
        }
        if (worker.state == State.SEARCHES) {
            searching--;
            worker.state = State.AWAKE;
        } else if (worker.state == State.ASLEEP) {
            // An exception has ended its sleep.
            asleep.remove(worker);
            worker.state = State.AWAKE;
        }
    }

    /** The worker has found no job. After this call, it calls {@link Taker#sleep}. */
    void fallAsleep(Taker worker) {
        worker.state = State.ASLEEP;
        asleep.addLast(worker);
    }

    /**
     * Selects a worker for a waiting job, and orders the worker to search. Returns what the caller must run without the lock: it wakes the
     * worker, starts one, or asks whether more than the usual number help. It is {@link #NOBODY} if a worker is searching already, or if
     * no worker sleeps and none may be started.
     */
    Runnable searcher() {
        if (searching > 0) {
            return NOBODY;
        }
        Taker next = asleep.pollLast();
        if (next != null) {
            beginSearch(next);
            return next;
        }
        if (startable() > 0 && started >= usual) {
            return grow;
        }
        return start(1) > 0 ? startOne : NOBODY;
    }

    /** Orders all sleeping workers to search, and wakes them. */
    void allSearch() {
        for (Taker next = asleep.poll(); next != null; next = asleep.poll()) {
            beginSearch(next);
            next.run(); // once, so the wake-up may take place under the lock
        }
    }

    private void beginSearch(Taker worker) {
        searching++;
        worker.state = State.SEARCHES;
    }

    // ---- renewal

    /**
     * Ends all workers one after another, each as soon as it has no job: {@link RequestQueue#take} returns null. The next worker ends after
     * the call of {@link #tookOver}.
     */
    void renew() {
        generation++;
        wakeNextToEnd();
    }

    /** Whether the worker, which has no job, must end now. It counts as ending from now on. Only one worker ends at a time. */
    boolean leaves(Taker worker) {
        if (ending == null && worker.generation != generation) {
            worker.generation = generation;
            ending = worker;
        }
        return isLeaving(worker);
    }

    /** Whether the worker is ending and needs a successor. Any thread. */
    boolean isLeaving(Taker worker) {
        return ending == worker;
    }

    /** The ending worker has a successor; it is its own one if no thread could be created. So the next one may end. */
    void tookOver() {
        ending = null;
        wakeNextToEnd();
    }

    /** Wakes the sleeping worker that must end and has slept longest, if no other worker is ending. It ends when it looks for a job. */
    private void wakeNextToEnd() {
        for (Taker worker : asleep) {
            if (ending == null && worker.generation != generation) {
                asleep.remove(worker);
                beginSearch(worker);
                worker.run(); // rare, so the wake-up may take place under the lock
                return;
            }
        }
    }
}

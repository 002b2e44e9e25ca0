package io.penstock.work;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
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
 * <p>Thread: the holder of the queue's lock, with two exceptions. A worker calls {@link Sleeper#sleep} without the lock, and any thread
 * calls {@link Sleeper#wake} without the lock.
 */
final class IdleWorkers {

    /** The order for a woken worker. */
    enum Order {
        SEARCH,
        LEAVE
    }

    /** A worker that falls asleep. */
    static final class Sleeper {
        private final @Nullable Thread thread;
        private volatile @Nullable Order order;

        private Sleeper(@Nullable Thread thread) {
            this.thread = thread;
        }

        /** Sleeps until the worker gets an order, or until {@code nanos} have passed. Returns the order; null if there is none. */
        @Nullable
        Order sleep(long nanos) {
            long end = System.nanoTime() + nanos;
            Order given = order;
            for (long left = nanos; given == null && left > 0; left = end - System.nanoTime()) {
                LockSupport.parkNanos(this, left);
                // Clear a late interrupt of the previous job. Otherwise parkNanos() would return at once.
                Thread.interrupted();
                given = order;
            }
            return given;
        }

        /** Wakes the worker after its order has been set. */
        void wake() {
            LockSupport.unpark(thread);
        }
    }

    /** The place of a sleeper for a worker that does not exist yet. The caller of {@link #searcher} must start a worker. */
    static final Sleeper NEW = new Sleeper(null);

    private final int usual;
    private final ArrayDeque<Sleeper> asleep;

    /** The largest number of workers; 0 while nobody can start workers. */
    private int most;

    private int searching;

    /** The workers that have been started and have not ended. */
    private int started;

    /** The started workers that are about to end without a successor. */
    private int goingAway;

    /** The workers that must end, one after another. */
    private final Set<Thread> toEnd = new HashSet<>();

    /** The worker that is ending now and has no successor yet. */
    private @Nullable Thread ending;

    /**
     * @param most the largest number of workers
     * @param usual up to this number, a worker is started whenever a job waits and no worker is idle
     */
    IdleWorkers(int most, int usual) {
        this.usual = usual;
        // The deque has room for all workers from the start, since it cannot grow when memory is exhausted. There are
        // two extra places because a replaced worker and its successor can sleep at the same time.
        asleep = new ArrayDeque<>(most + 2);
    }

    /** From now on, up to {@code workers} workers can be started. */
    void allow(int workers) {
        most = workers;
    }

    /** The number of workers that have been started and have not ended. */
    int started() {
        return started;
    }

    /** The number of workers that sleep. */
    int asleep() {
        return asleep.size();
    }

    /** The largest number of workers; 0 while nobody can start workers. */
    int most() {
        return most;
    }

    /** Up to this number, a worker is started whenever a job waits and no worker is idle. */
    int usual() {
        return usual;
    }

    /** The number of workers that can still be started. */
    int startable() {
        return Math.max(0, most - started);
    }

    /** Workers are about to be started. Each of them begins with a search. At most {@link #startable} of them may be started. */
    void starts(int count) {
        started += count;
        searching += count;
    }

    /** A worker that {@link #starts} has announced could not be started. */
    void notStarted() {
        started--;
        searching--;
    }

    /** A worker that {@link #goesAway} has ended. */
    void ended() {
        started--;
        goingAway--;
    }

    /** Whether so many workers have been started that the next is started only if it helps. */
    boolean isUsual() {
        return started >= usual;
    }

    int count() {
        return asleep.size() + searching;
    }

    /** Registers the calling worker as sleeping, since it found no job. After this call, the worker calls {@link Sleeper#sleep}. */
    Sleeper fallAsleep() {
        Sleeper sleeper = new Sleeper(Thread.currentThread());
        asleep.addLast(sleeper);
        return sleeper;
    }

    /**
     * Selects a worker for a waiting job, and orders the worker to search. The caller wakes the worker, or starts one if the result is
     * {@link #NEW}. Null if a worker is searching already, or if no worker sleeps and none may be started.
     */
    @Nullable
    Sleeper searcher() {
        if (searching > 0) {
            return null;
        }
        Sleeper next = asleep.pollLast();
        if (next != null) {
            beginSearch(next);
        } else if (!isUsual() && startable() > 0) {
            starts(1);
            return NEW;
        }
        return next;
    }

    /**
     * Removes a sleeper that has slept for long, so that its worker ends without a successor. Returns false if the worker got an order
     * meanwhile, or if only {@code least} workers are left.
     */
    boolean goesAway(Sleeper sleeper, int least) {
        if (started - goingAway <= least || sleeper.order != null) {
            return false;
        }
        goingAway++;
        asleep.remove(sleeper);
        toEnd.remove(Thread.currentThread());
        return true;
    }

    /** Orders all sleeping workers to search. The caller wakes these workers. */
    List<Sleeper> allSearch() {
        List<Sleeper> all = new ArrayList<>(asleep);
        asleep.clear();
        all.forEach(this::beginSearch);
        return all;
    }

    private void beginSearch(Sleeper sleeper) {
        searching++;
        sleeper.order = Order.SEARCH;
    }

    /** A worker that was woken or started to search looks into the queue now. */
    void endSearch() {
        searching--;
    }

    /**
     * Marks workers that must end. Returns a sleeping worker that must end now; null if there is none. The caller wakes the returned
     * worker.
     */
    @Nullable
    Sleeper retire(Collection<? extends Thread> workers) {
        toEnd.addAll(workers);
        return nextToEnd();
    }

    /** Whether the worker must not take a further job, since it could end now. */
    boolean mustLeave(Thread worker) {
        return ending == null && !toEnd.isEmpty() && toEnd.contains(worker);
    }

    boolean isLeaving(Thread worker) {
        return ending == worker;
    }

    /**
     * The ending worker has a successor. Returns the next sleeping worker that must end; null if there is none. The caller wakes the
     * returned worker.
     */
    @Nullable
    Sleeper tookOver() {
        ending = null;
        return nextToEnd();
    }

    /**
     * Selects a sleeping worker that must end, and orders this worker to end. If several sleeping workers must end, selects the worker that
     * has slept longest. Null if there is none, or if another worker is ending.
     */
    private @Nullable Sleeper nextToEnd() {
        for (Iterator<Sleeper> sleepers = asleep.iterator(); !toEnd.isEmpty() && sleepers.hasNext(); ) {
            Sleeper sleeper = sleepers.next();
            if (sleeper.thread != null && leaves(sleeper.thread)) {
                sleepers.remove();
                sleeper.order = Order.LEAVE;
                return sleeper;
            }
        }
        return null;
    }

    /**
     * Returns whether the worker must end now: the worker is marked, and no other worker is ending. If true, the worker counts as ending
     * from now on.
     */
    boolean leaves(Thread worker) {
        if (ending != null || !toEnd.remove(worker)) {
            return false;
        }
        ending = worker;
        return true;
    }
}

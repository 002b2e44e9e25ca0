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
 * <p>Thread: the holder of the queue's lock. Without the lock, a worker calls {@link Sleeper#sleep}, and any thread calls {@link
 * Sleeper#wake}, {@link #started} and {@link #isLeaving}.
 */
final class IdleWorkers {

    /** This number of workers does not end, so that the first requests after a pause find a worker. */
    static final int LEAST = 2;

    /**
     * Without a look at the application, as many workers as this for each processor are started, and at least {@link #USUAL}. They let a
     * quick servlet run beside some that compute for long.
     */
    private static final int USUAL_PER_PROCESSOR = 8;

    private static final int USUAL = 32;

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

    /** Stands for a worker that does not exist yet. The caller of {@link #searcher} must start a worker. */
    static final Sleeper NEW = new Sleeper(null);

    /** Stands for workers beyond the usual number. The caller of {@link #searcher} must ask whether they help. */
    static final Sleeper MORE = new Sleeper(null);

    /** Up to this number, a worker is started whenever a job waits and no worker is idle. */
    private final int usual =
            Math.max(USUAL, USUAL_PER_PROCESSOR * Runtime.getRuntime().availableProcessors());

    private final ArrayDeque<Sleeper> asleep;

    /** The largest number of workers; 0 while nobody can start workers. */
    private int most;

    private int searching;

    /** The workers that have been started and have not ended. */
    private volatile int started;

    /** The started workers that are about to end without a successor. */
    private int goingAway;

    /** Whether the next worker beyond the usual number would not help now. */
    private boolean growthRefused;

    /** Whether no thread can be created now. */
    private boolean withoutThreads;

    /** The workers that must end, one after another. */
    private final Set<Thread> toEnd = new HashSet<>();

    /** The worker that is ending now and has no successor yet. */
    private volatile @Nullable Thread ending;

    /** @param most the largest number of workers */
    IdleWorkers(int most) {
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
        return withoutThreads ? 0 : Math.max(0, most - started);
    }

    /** The number of workers that are idle, or that can be started if more workers help. */
    int room() {
        return count() + (growthRefused ? 0 : startable());
    }

    /** Says whether more workers than the usual number would not help now. */
    void growthRefused(boolean refused) {
        growthRefused = refused;
    }

    /** Workers are about to be started. Each of them begins with a search. At most {@link #startable} of them may be started. */
    void starts(int count) {
        started = started() + count;
        searching += count;
    }

    /** As {@link #starts}, but at most as many as can be started. Returns their number. */
    int startsAtMost(int count) {
        int more = Math.max(0, Math.min(count, startable()));
        starts(more);
        return more;
    }

    /** A worker that {@link #starts} has announced could not be started. No other is started until {@link #mayStart}. */
    void notStarted() {
        started = started() - 1;
        searching--;
        withoutThreads = true;
    }

    /** Perhaps threads can be created again. */
    void mayStart() {
        withoutThreads = false;
    }

    /** A worker that {@link #goesAway} has ended. */
    void ended() {
        started = started() - 1;
        goingAway--;
    }

    /** The number of workers that have no job. */
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
     * Selects a worker for a waiting job, and orders the worker to search. The caller wakes the worker, starts one if the result is {@link
     * #NEW}, or asks for more if it is {@link #MORE}. Null if a worker is searching already, or if no worker sleeps and none may be started.
     */
    @Nullable
    Sleeper searcher() {
        if (searching > 0) {
            return null;
        }
        Sleeper next = asleep.pollLast();
        if (next != null) {
            beginSearch(next);
            return next;
        }
        if (startable() == 0) {
            return null;
        }
        if (started >= usual) {
            return MORE;
        }
        starts(1);
        return NEW;
    }

    /**
     * Removes a sleeper that has slept for long, so that its worker ends without a successor. Returns false if the worker got an order
     * meanwhile, or if only {@link #LEAST} workers are left.
     */
    boolean goesAway(Sleeper sleeper) {
        if (started - goingAway <= LEAST || sleeper.order != null) {
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

    /** Marks workers that must end. */
    void retire(Collection<? extends Thread> workers) {
        toEnd.addAll(workers);
        wakeNextToEnd();
    }

    /** Whether the worker must not take a further job, since it could end now. */
    boolean mustLeave(Thread worker) {
        return ending == null && !toEnd.isEmpty() && toEnd.contains(worker);
    }

    /** Whether the worker must end now and needs a successor. */
    boolean isLeaving(Thread worker) {
        return ending == worker;
    }

    /** The ending worker has a successor, so the next one may end. */
    void tookOver() {
        ending = null;
        wakeNextToEnd();
    }

    /** Orders the sleeping worker to end that must end and has slept longest, if no other worker is ending. */
    private void wakeNextToEnd() {
        for (Iterator<Sleeper> sleepers = asleep.iterator(); !toEnd.isEmpty() && sleepers.hasNext(); ) {
            Sleeper sleeper = sleepers.next();
            if (sleeper.thread != null && leaves(sleeper.thread)) {
                sleepers.remove();
                sleeper.order = Order.LEAVE;
                sleeper.wake(); // rare, so the wake-up may take place under the lock
                return;
            }
        }
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

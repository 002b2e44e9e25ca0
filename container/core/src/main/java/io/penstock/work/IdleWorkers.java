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
        private final Thread thread = Thread.currentThread();
        private volatile @Nullable Order order;

        /** Sleeps until the worker gets an order. Returns the order. */
        Order sleep() {
            Order given = order;
            while (given == null) {
                LockSupport.park(this);
                // Clear a late interrupt of the previous job. Otherwise park() would return at once.
                Thread.interrupted();
                given = order;
            }
            return given;
        }

        /** Wakes the worker after its order has been set. Does nothing if {@code sleeper} is null. */
        static void wake(@Nullable Sleeper sleeper) {
            if (sleeper != null) {
                LockSupport.unpark(sleeper.thread);
            }
        }
    }

    private final ArrayDeque<Sleeper> asleep;
    private int searching;

    /** The workers that must end, one after another. */
    private final Set<Thread> toEnd = new HashSet<>();

    /** The worker that is ending now and has no successor yet. */
    private @Nullable Thread ending;

    /** @param workers the number of workers */
    IdleWorkers(int workers) {
        // The deque has room for all workers from the start, since it cannot grow when memory is exhausted. There are
        // two extra places because a replaced worker and its successor can sleep at the same time.
        asleep = new ArrayDeque<>(workers + 2);
    }

    int count() {
        return asleep.size() + searching;
    }

    /** Registers the calling worker as sleeping, since it found no job. After this call, the worker calls {@link Sleeper#sleep}. */
    Sleeper fallAsleep() {
        Sleeper sleeper = new Sleeper();
        asleep.addLast(sleeper);
        return sleeper;
    }

    /**
     * Selects a worker for a waiting job, and orders the worker to search. The caller wakes the worker. Null if a worker is searching
     * already, or if no worker sleeps.
     */
    @Nullable
    Sleeper searcher() {
        if (searching > 0) {
            return null;
        }
        Sleeper next = asleep.pollLast();
        if (next != null) {
            beginSearch(next);
        }
        return next;
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

    /** A worker that was woken to search looks into the queue now. */
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
            if (leaves(sleeper.thread)) {
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

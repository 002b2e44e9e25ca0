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
 * The workers that have no job: workers that sleep, and workers that are awake and search. A woken worker gets no job; it searches the
 * queue. Until it has looked into the queue, no further worker is woken. A wake-up is the most expensive part of handing over a job; this
 * way one wake-up serves all jobs that come meanwhile. If more jobs wait when the worker takes one, it wakes the next worker first.
 *
 * <p>The worker that fell asleep last is woken first, since its caches are warm.
 *
 * <p>Thread: the holder of the queue's lock. The worker itself calls {@link Sleeper#sleep}, and any thread calls {@link Sleeper#wake}, both
 * without the lock.
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

        /** Returns the order with which it was woken. */
        Order sleep() {
            Order given = order;
            while (given == null) {
                LockSupport.park(this); // until there is an order
                Thread.interrupted(); // clear a late interrupt of the former job
                given = order; // look again, since an order may have come meanwhile
            }
            return given;
        }

        /** Wakes the worker, which already has its order. */
        static void wake(@Nullable Sleeper sleeper) {
            if (sleeper != null) {
                LockSupport.unpark(sleeper.thread);
            }
        }
    }

    private final ArrayDeque<Sleeper> asleep;
    private int searching;

    /** Workers that are to end, one at a time. */
    private final Set<Thread> toEnd = new HashSet<>();

    /** The worker that is to end and is not replaced yet. */
    private @Nullable Thread ending;

    /** @param workers the most that sleep at one time. The deque has room for all, since it cannot grow when memory is exhausted */
    IdleWorkers(int workers) {
        // There is room for more than all workers, since a replaced worker and its successor may sleep at the same
        // time.
        asleep = new ArrayDeque<>(workers + 2);
    }

    int count() {
        return asleep.size() + searching;
    }

    /** The calling worker found no job. */
    Sleeper fallAsleep() {
        Sleeper sleeper = new Sleeper();
        asleep.addLast(sleeper);
        return sleeper;
    }

    /** The worker to wake for a job that waits; null if a worker is searching already, or none sleeps. */
    @Nullable
    Sleeper searcher() {
        if (searching > 0) {
            return null;
        }
        Sleeper next = asleep.pollLast();
        if (next != null) {
            searches(next);
        }
        return next;
    }

    /** Orders all sleepers to search; the caller wakes them. */
    List<Sleeper> allSearch() {
        List<Sleeper> all = new ArrayList<>(asleep);
        asleep.clear();
        all.forEach(this::searches);
        return all;
    }

    private void searches(Sleeper sleeper) {
        searching++;
        sleeper.order = Order.SEARCH;
    }

    /** A worker that was woken to search now looks into the queue. */
    void looks() {
        searching--;
    }

    /** These workers are to end. Returns the first one to wake for this now. */
    @Nullable
    Sleeper relieve(Collection<? extends Thread> workers) {
        toEnd.addAll(workers);
        return nextToEnd();
    }

    boolean isLeaving(Thread worker) {
        return ending == worker;
    }

    /** The worker that was to end has a successor. Returns the next worker to wake, which is to end. */
    @Nullable
    Sleeper tookOver() {
        ending = null;
        return nextToEnd();
    }

    /** The sleeper that is to end now and has slept longest. */
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

    /** Whether the thread is to end now: it is marked, and no other worker is ending. If so, it counts as ending from here on. */
    boolean leaves(Thread worker) {
        if (ending != null || !toEnd.remove(worker)) {
            return false;
        }
        ending = worker;
        return true;
    }
}

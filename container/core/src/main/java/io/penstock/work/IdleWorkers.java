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
 * The workers that have no job: those that sleep, and those that are awake and search. A worker is woken to search, not with a job. Until
 * it has looked into the queue, no further worker is woken. A wake-up is the most expensive part of handing over a job; this way one
 * wake-up serves all jobs that come meanwhile. If more jobs wait when the worker takes one, it wakes the next worker first.
 *
 * <p>The worker that fell asleep last is woken first: its caches are warm, and the others sleep on.
 *
 * <p>Thread: the holder of the queue's lock; {@link Sleeper#sleep} the worker itself, {@link Sleeper#wake} any, both without the lock.
 */
final class IdleWorkers {

    /** What a woken worker is to do. */
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

    /** Workers that are to leave, one at a time. */
    private final Set<Thread> relieved = new HashSet<>();

    /** The worker that has been told to leave and is not replaced yet. */
    private @Nullable Thread leaving;

    /** @param workers most that sleep at one time. The deque has room for all, since it must not have to grow when memory is out */
    IdleWorkers(int workers) {
        asleep = new ArrayDeque<>(workers + 2); // one more, since a replaced worker and its successor may overlap
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

    /** The worker that is to be woken for a job that waits; null if one searches already, or none sleeps. */
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

    /** A worker that was woken to search looks now. */
    void looks() {
        searching--;
    }

    /** These workers are to leave. Returns the one to wake for it now. */
    @Nullable
    Sleeper relieve(Collection<? extends Thread> workers) {
        relieved.addAll(workers);
        return leaver();
    }

    boolean isLeaving(Thread worker) {
        return leaving == worker;
    }

    /** The worker that was told to leave has a successor. Returns the next one to wake, which is to leave. */
    @Nullable
    Sleeper tookOver() {
        leaving = null;
        return leaver();
    }

    /** The sleeper that is to leave now and has slept longest. */
    private @Nullable Sleeper leaver() {
        for (Iterator<Sleeper> sleepers = asleep.iterator(); !relieved.isEmpty() && sleepers.hasNext(); ) {
            Sleeper sleeper = sleepers.next();
            if (leaves(sleeper.thread)) {
                sleepers.remove();
                sleeper.order = Order.LEAVE;
                return sleeper;
            }
        }
        return null;
    }

    /** Whether the thread is to leave now: it is marked, and no other worker is leaving. If so, it counts as leaving from here on. */
    boolean leaves(Thread worker) {
        if (leaving != null || !relieved.remove(worker)) {
            return false;
        }
        leaving = worker;
        return true;
    }
}

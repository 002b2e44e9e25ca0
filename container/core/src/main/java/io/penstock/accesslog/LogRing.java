package io.penstock.accesslog;

import io.penstock.time.Saturated;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * What waits to be written, from all who tell of requests to the one who writes: bounded, in the order of the offers, and without a lock, so
 * that no request ever waits for another, or for the writer.
 *
 * <p>Thread: {@link #offer} and {@link #wake} any; {@link #poll}, {@link #rest} and {@link #await} the writer; {@link #close} the owner.
 *
 * <p>A place is claimed by moving {@code next}, then filled; it is emptied, then given back by moving {@code taken}. A place that is claimed
 * and not filled yet looks like the end of what is there, for as long as that takes.
 *
 * @param <T> what waits
 */
final class LogRing<T> {
    private final AtomicReferenceArray<@Nullable T> places;
    private final int size;
    private final int half;

    private final AtomicLong next = new AtomicLong();
    private final AtomicBoolean asleep = new AtomicBoolean();

    // The writer's; read by those who look for a place.
    private volatile long taken;
    private volatile @Nullable Thread writer;
    private volatile boolean closed;

    LogRing(int size) {
        this.size = size;
        this.half = Math.max(1, size / 2);
        this.places = new AtomicReferenceArray<>(size);
    }

    /** Returns whether there was a place for it. Does not wait. */
    boolean offer(T item) {
        long claimed;
        do {
            claimed = next.get();
            if (claimed - taken >= size || closed) {
                return false;
            }
        } while (!next.compareAndSet(claimed, claimed + 1));
        places.set(place(claimed), item);
        if (asleep.get() && asleep.compareAndSet(true, false)) {
            wake(); // the writer: the ring is not empty any more
        } else if (claimed % half == 0) {
            wake(); // the writer, if it rests: so many may have come meanwhile that the ring would be full soon
        }
        return true;
    }

    /** Lets the writer look for what there is to do. */
    void wake() {
        LockSupport.unpark(writer);
    }

    /** Nothing more gets in; what is in it can still be taken. */
    void close() {
        closed = true;
        wake(); // the writer: what is there now is the last
    }

    boolean isClosed() {
        return closed;
    }

    /** How many wait; a moment later it may be others. */
    long waiting() {
        return next.get() - taken;
    }

    // ---- the writer

    /** Says who takes; before anything else. */
    void attend() {
        writer = Thread.currentThread();
    }

    /** What came first, or null if there is nothing at this moment. */
    @Nullable
    T poll() {
        long first = taken;
        T item = places.get(place(first));
        if (item != null) {
            places.set(place(first), null);
            taken = first + 1; // only now the place is free
        }
        return item;
    }

    /** Lets more come together, for some time, unless so many come that there may be no place soon. */
    void rest(Duration time) {
        if (!closed) {
            LockSupport.parkNanos(this, Saturated.nanos(time));
        }
    }

    /** Waits until there is something, or somebody wakes the writer for another reason, or for none. */
    void await() {
        if (mayFallAsleep()) {
            LockSupport.park(this);
        }
        asleep.set(false);
    }

    /** Says first that the writer sleeps, and looks then: whoever fills a place looks afterwards who sleeps. */
    boolean mayFallAsleep() {
        asleep.set(true);
        return places.get(place(taken)) == null && !closed;
    }

    /** Whether nobody has seen yet that the writer sleeps. */
    boolean isAsleep() {
        return asleep.get();
    }

    private int place(long position) {
        return (int) (position % size);
    }
}

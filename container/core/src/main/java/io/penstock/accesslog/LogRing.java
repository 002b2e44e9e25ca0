package io.penstock.accesslog;

import io.penstock.time.Saturated;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue without a lock, for lines that wait to be written. All threads that end requests add lines; one writer removes them in
 * the same order. No request waits for another request or for the writer.
 *
 * <p>Thread: {@link #offer} and {@link #wake}: any. {@link #poll}, {@link #rest} and {@link #await}: the writer. {@link #close}: the owner.
 *
 * <p>A thread claims a place by incrementing {@code next}, then fills the place. The writer empties the place, then frees it by
 * incrementing {@code taken}. To the writer, a place that is claimed but not filled looks like an empty ring.
 *
 * @param <T> the type of the items
 */
final class LogRing<T> {
    private final AtomicReferenceArray<@Nullable T> places;
    private final int size;
    private final int half;

    private final AtomicLong next = new AtomicLong();
    private final AtomicBoolean asleep = new AtomicBoolean();

    // Written by the writer; read by threads that add items.
    private volatile long taken;
    private volatile @Nullable Thread writer;
    private volatile boolean closed;

    LogRing(int size) {
        this.size = size;
        this.half = Math.max(1, size / 2);
        this.places = new AtomicReferenceArray<>(size);
    }

    /** Adds the item; returns false if the ring is full. Does not wait. */
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
            wake(); // wakes the writer, since the ring is no longer empty
        } else if (claimed % half == 0) {
            wake(); // wakes the writer from rest(), since the ring may be full soon
        }
        return true;
    }

    void wake() {
        LockSupport.unpark(writer);
    }

    /** Rejects further items; the writer can still remove the items in the ring. */
    void close() {
        closed = true;
        wake(); // wakes the writer, since no more items will come
    }

    boolean isClosed() {
        return closed;
    }

    /** The number of waiting items; a snapshot. */
    long waiting() {
        return next.get() - taken;
    }

    // ---- the writer

    /** Registers the calling thread as the writer, before all other calls. */
    void attend() {
        writer = Thread.currentThread();
    }

    /** Removes the oldest item; null if the ring is empty at this moment. */
    @Nullable
    T poll() {
        long first = taken;
        T item = places.get(place(first));
        if (item != null) {
            places.set(place(first), null);
            taken = first + 1; // must be last, since another thread can now claim the place
        }
        return item;
    }

    /** Waits for {@code time} while items collect. Returns earlier if the ring may be full soon. */
    void rest(Duration time) {
        if (!closed) {
            LockSupport.parkNanos(this, Saturated.nanos(time));
        }
    }

    /** Waits until the ring has an item or the writer is woken. Spurious returns are possible. */
    void await() {
        if (mayFallAsleep()) {
            LockSupport.park(this);
        }
        asleep.set(false);
    }

    /**
     * Marks the writer as asleep first, then checks the ring. A thread that adds an item uses the opposite order, so no item is missed.
     */
    boolean mayFallAsleep() {
        asleep.set(true);
        return places.get(place(taken)) == null && !closed;
    }

    /** Whether no thread has woken the writer yet. */
    boolean isAsleep() {
        return asleep.get();
    }

    private int place(long position) {
        return (int) (position % size);
    }
}

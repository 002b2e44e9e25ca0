package io.penstock.accesslog;

import io.penstock.time.Saturated;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The queue of lines that wait to be written. All threads that end requests put lines in; one writer takes them out. The ring is bounded,
 * keeps the order of the offers, and has no lock: no request ever waits for another request or for the writer.
 *
 * <p>Thread: {@link #offer} and {@link #wake}: any. {@link #poll}, {@link #rest} and {@link #await}: the writer. {@link #close}: the owner.
 *
 * <p><p> A thread claims a place by moving {@code next}, then fills it. The writer empties the place, then gives it back by moving {@code
 * taken}. A claimed place that is not filled yet looks like the end of the ring.
 *
 * @param <T> the type of the waiting items
 */
final class LogRing<T> {
    private final AtomicReferenceArray<@Nullable T> places;
    private final int size;
    private final int half;

    private final AtomicLong next = new AtomicLong();
    private final AtomicBoolean asleep = new AtomicBoolean();

    // Written by the writer; read by threads that look for a place.
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
            wake(); // the writer: the ring is no longer empty
        } else if (claimed % half == 0) {
            wake(); // the writer, in case it rests: the ring may be full soon
        }
        return true;
    }

    /** Wakes the writer. */
    void wake() {
        LockSupport.unpark(writer);
    }

    /** Refuses further items; items in the ring can still be taken. */
    void close() {
        closed = true;
        wake(); // the writer: no more items will come
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
            taken = first + 1; // only now is the place free
        }
        return item;
    }

    /** Waits for some time while items collect; returns earlier if the ring may be full soon. */
    void rest(Duration time) {
        if (!closed) {
            LockSupport.parkNanos(this, Saturated.nanos(time));
        }
    }

    /** Waits until the ring has an item or the writer is woken; may also return without a reason. */
    void await() {
        if (mayFallAsleep()) {
            LockSupport.park(this);
        }
        asleep.set(false);
    }

    /**
     * First marks the writer as asleep, then looks at the ring. A thread that fills a place uses the opposite order, so no item is missed.
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

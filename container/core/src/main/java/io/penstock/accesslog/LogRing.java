package io.penstock.accesslog;

import io.penstock.time.Saturated;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A bounded lock-free queue of log lines. All threads that end requests add lines. The log writer, one thread, removes the lines in the
 * same order. No request waits for another request or for the writer.
 *
 * <p>Thread: {@link #offer} and {@link #wake}: any. {@link #poll}, {@link #rest} and {@link #await}: the writer. {@link #close}: the owner
 * of the queue.
 *
 * <p>A thread increments {@code next} to claim a place, and then fills the place. The writer empties the place, and then increments {@code
 * taken} to free the place. If the next place is claimed but not filled, the writer treats the queue as empty.
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

    /** Adds the item, without a wait. Returns false if the ring is full or closed. */
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
            wake(); // the ring is not empty now
        } else if (claimed % half == 0) {
            wake(); // ends rest(): the ring might be full soon
        }
        return true;
    }

    void wake() {
        LockSupport.unpark(writer);
    }

    /** Rejects further items; the writer can still remove the items in the ring. */
    void close() {
        closed = true;
        wake(); // The writer must not wait for further items.
    }

    boolean isClosed() {
        return closed;
    }

    /** The current number of waiting items. */
    long waiting() {
        return next.get() - taken;
    }

    // ---- the writer

    /** Registers the calling thread as the writer. The writer must call this method first. */
    void registerWriter() {
        writer = Thread.currentThread();
    }

    /** Removes the oldest item; null if the ring is empty at this moment. */
    @Nullable
    T poll() {
        long first = taken;
        T item = places.get(place(first));
        if (item != null) {
            places.set(place(first), null);
            // This must be the last step, because another thread can claim the place afterwards.
            taken = first + 1;
        }
        return item;
    }

    /** Waits for {@code time}, so that the ring collects items. Returns earlier if the ring might be full soon. */
    void rest(Duration time) {
        if (!closed) {
            LockSupport.parkNanos(this, Saturated.nanos(time));
        }
    }

    /** Waits until the ring has an item or {@link #wake} is called. The method can also return without a reason. */
    void await() {
        if (mayFallAsleep()) {
            LockSupport.park(this);
        }
        asleep.set(false);
    }

    /**
     * Returns whether the writer can sleep. The method first marks the writer as asleep and then checks the ring. A thread that adds an
     * item uses the opposite order. So the writer misses no item.
     */
    boolean mayFallAsleep() {
        asleep.set(true);
        return places.get(place(taken)) == null && !closed;
    }

    /** Whether the writer is marked as asleep. */
    boolean isAsleep() {
        return asleep.get();
    }

    private int place(long position) {
        return (int) (position % size);
    }
}

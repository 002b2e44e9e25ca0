package io.penstock.limits;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits and counts the bytes of one kind that the server holds.
 *
 * <p>Thread: any. Bytes are reserved before they are allocated, so that the server never holds more than were granted.
 */
public final class ByteAccount {
    private final long limit;
    private final AtomicLong used = new AtomicLong();

    /** @param limit in bytes */
    public ByteAccount(long limit) {
        this.limit = limit;
    }

    /** Reserves {@code bytes} more, or returns false if they would exceed the limit. */
    public boolean tryReserve(long bytes) {
        while (true) {
            long now = used.get();
            if (bytes > limit - now) {
                return false;
            }
            if (used.compareAndSet(now, now + bytes)) {
                return true;
            }
        }
    }

    /** Reserves {@code bytes} more regardless of the limit. This is for a holder that must continue so that others can. */
    public void reserve(long bytes) {
        used.addAndGet(bytes);
    }

    public void giveBack(long bytes) {
        long left = used.addAndGet(-bytes);
        assert left >= 0 : "more was given back than was reserved";
    }

    /** The bytes that are reserved at this moment. */
    public long used() {
        return used.get();
    }

    public long limit() {
        return limit;
    }
}

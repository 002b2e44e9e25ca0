package io.penstock.limits;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A limit on the bytes of one kind that the server holds, and their number.
 *
 * <p>Thread: any. A reservation is made before the bytes are there, so that never more are held than were granted.
 */
public final class ByteAccount {
    private final long limit;
    private final AtomicLong used = new AtomicLong();

    /** @param limit in bytes */
    public ByteAccount(long limit) {
        this.limit = limit;
    }

    /** Returns whether {@code bytes} more are granted. */
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

    public void giveBack(long bytes) {
        long left = used.addAndGet(-bytes);
        assert left >= 0 : "more was given back than was reserved";
    }

    /** Bytes that are granted at this moment. */
    public long used() {
        return used.get();
    }

    public long limit() {
        return limit;
    }
}

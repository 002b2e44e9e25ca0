package io.penstock.memory;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts and limits the bytes that the server uses for one purpose.
 *
 * <p>Thread: any. A caller must reserve bytes before it allocates them. So the allocated bytes never exceed the reserved bytes.
 */
public final class ByteAccount {
    private final long limit;
    private final AtomicLong used = new AtomicLong();

    /** @param limit the limit in bytes */
    public ByteAccount(long limit) {
        this.limit = limit;
    }

    /** Reserves further bytes. If the sum would exceed the limit, reserves nothing and returns false. */
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

    /**
     * Reserves further bytes regardless of the limit. This method is only for work on which other work depends. If this work waited for
     * free bytes, the other work would wait, too.
     */
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

package io.penstock.spool;

import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes all spool files of a server may hold together, and how many they hold.
 *
 * <p>Thread: any. A reservation is made before the bytes are written, so the disk never holds more than was granted.
 */
final class DiskAccount {
    private final long limit;
    private final AtomicLong used = new AtomicLong();

    /** @param limit in bytes */
    DiskAccount(long limit) {
        this.limit = limit;
    }

    /** Returns whether {@code bytes} more are granted. */
    boolean tryReserve(long bytes) {
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

    void giveBack(long bytes) {
        long left = used.addAndGet(-bytes);
        assert left >= 0 : "more was given back than was reserved";
    }

    long used() {
        return used.get();
    }

    long limit() {
        return limit;
    }
}

package io.penstock.exchange;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Records for the last sixteen responses of a servlet whether the worker of the response had to wait for the disk. If at least a quarter of
 * these responses had such a wait, a wait is expected for the next response. Otherwise no wait is expected.
 *
 * <p>Thread: any. While no worker has to wait for the disk, threads only read this object. So the threads do not delay each other.
 */
public final class SpoolHistory {
    private static final int REMEMBERED = 16;
    private static final int ENOUGH = REMEMBERED / 4;
    private static final int ALL = (1 << REMEMBERED) - 1;

    // One bit for each response. The lowest bit is for the last response. A bit is set if the worker has waited for the
    // disk.
    private final AtomicInteger last = new AtomicInteger();

    /** Records that the worker of a response has waited for the disk. Called at most once for each response, before the response ends. */
    void waited() {
        last.getAndUpdate(bits -> (bits << 1 | 1) & ALL);
    }

    /** Records that a response has ended without a wait of its worker for the disk. */
    void didNotWait() {
        if (last.get() != 0) {
            last.getAndUpdate(bits -> bits << 1 & ALL);
        }
    }

    /** Whether the worker of the next response is expected to wait for the disk. */
    boolean isExpected() {
        int bits = last.get();
        return bits != 0 && Integer.bitCount(bits) >= ENOUGH;
    }
}

package io.penstock.exchange;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Records for each of a servlet's last responses whether the worker had to wait for the disk. If the worker waited for at least a quarter
 * of the last sixteen responses, a wait is expected for the next response, too. Otherwise, no wait is expected.
 *
 * <p>Thread: any. While no response waits for the disk, no field is written.
 */
public final class SpoolHistory {
    private static final int REMEMBERED = 16;
    private static final int ENOUGH = REMEMBERED / 4;
    private static final int ALL = (1 << REMEMBERED) - 1;

    // One bit for each response, the lowest for the last response. A bit is set if the worker has waited.
    private final AtomicInteger last = new AtomicInteger();

    /** The worker of a response has waited for the disk for a while. Called once for a response, before its end. */
    void waited() {
        last.getAndUpdate(bits -> (bits << 1 | 1) & ALL);
    }

    /** A response has ended, and its worker has not waited for the disk. */
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

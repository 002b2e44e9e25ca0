package io.penstock.exchange;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Whether the last responses of one servlet kept their workers waiting for the disk. If a quarter of the last sixteen did, the next ones
 * are expected to do so as well. After sixteen responses that did not wait, none is expected to wait.
 *
 * <p>Thread: any. While no response waits for the disk, nothing is written.
 */
public final class SpoolHistory {
    private static final int REMEMBERED = 16;
    private static final int ENOUGH = REMEMBERED / 4;
    private static final int ALL = (1 << REMEMBERED) - 1;

    // A bit for each response, the lowest for the last one; set if its worker has waited.
    private final AtomicInteger last = new AtomicInteger();

    /** The worker of a response has waited for the disk for a while. Called once for a response, while it is still written. */
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

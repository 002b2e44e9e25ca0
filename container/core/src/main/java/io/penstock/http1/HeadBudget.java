package io.penstock.http1;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What large heads may hold together, from their first bytes to the end of their requests. Heads of the usual size are not counted:
 * there are at most as many as connections, and counting each would be work that all threads share.
 *
 * <p>Thread: any.
 */
final class HeadBudget {
    /** Up to so many bytes a head is not counted. */
    private static final int USUAL = 2048;

    private final long most;
    private final AtomicLong held = new AtomicLong();

    /** @param most bytes */
    HeadBudget(long most) {
        this.most = most;
    }

    /** What a head of that many bytes counts. */
    static int counted(int bytes) {
        return bytes <= USUAL ? 0 : bytes;
    }

    boolean tryHold(int more) {
        if (held.addAndGet(more) <= most) {
            return true;
        }
        held.addAndGet(-more);
        return false;
    }

    void giveBack(int bytes) {
        if (bytes > 0) {
            long left = held.addAndGet(-bytes);
            assert left >= 0 : "more was given back than was held";
        }
    }

    /** Bytes held at this moment. */
    long held() {
        return held.get();
    }
}

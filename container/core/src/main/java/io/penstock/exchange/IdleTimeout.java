package io.penstock.exchange;

import io.penstock.pipe.ResponsePipe;
import java.time.Duration;

/**
 * Limits the time without traffic on a connection, in both directions. The reactor checks only after the time has passed, whether the client
 * has accepted bytes. So it notices an idle connection after one to two times the limit.
 *
 * <p>Thread: the reactor.
 */
public final class IdleTimeout {
    private final ResponsePipe out;
    private final Deadline deadline;
    private final Duration most;
    private long sent;

    /** @param most the longest time without traffic; zero for no limit */
    public IdleTimeout(ResponsePipe out, Deadline deadline, Duration most) {
        this.out = out;
        this.deadline = deadline;
        this.most = most;
    }

    /** Bytes have been sent or received, or may have been: the time begins again. */
    public void restart() {
        sent = out.sent();
        if (most.isZero()) {
            deadline.off();
        } else {
            deadline.in(most);
        }
    }

    /** Whether the client has accepted bytes since the time began. */
    public boolean hasMoved() {
        return out.sent() != sent;
    }
}

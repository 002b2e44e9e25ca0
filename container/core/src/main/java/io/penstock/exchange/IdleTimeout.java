package io.penstock.exchange;

import io.penstock.pipe.ResponsePipe;
import java.time.Duration;

/**
 * Limits the time without any traffic on a connection, in either direction. The reactor does not learn at once that the client has taken
 * bytes. It checks when the time has passed. So it notices an idle connection after one to two times that time.
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

    /** Bytes have moved, or may have moved: the time begins again. */
    public void restart() {
        sent = out.sent();
        if (most.isZero()) {
            deadline.off();
        } else {
            deadline.in(most);
        }
    }

    /** Whether the client has taken bytes since the time began. */
    public boolean hasMoved() {
        return out.sent() != sent;
    }
}

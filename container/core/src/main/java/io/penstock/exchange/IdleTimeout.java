package io.penstock.exchange;

import io.penstock.pipe.ResponsePipe;
import java.time.Duration;

/**
 * The time for which nothing may move on a connection, in either direction. The reactor does not learn at once that the client has taken
 * bytes: it looks when the time has passed, so an idle connection is noticed before twice the time has passed.
 *
 * <p>Thread: the reactor.
 */
public final class IdleTimeout {
    private final ResponsePipe out;
    private final Deadline deadline;
    private final Duration most;
    private long sent;

    /** @param most zero for ever */
    public IdleTimeout(ResponsePipe out, Deadline deadline, Duration most) {
        this.out = out;
        this.deadline = deadline;
        this.most = most;
    }

    /** Something has just moved, or may have: the time begins again. */
    public void restart() {
        sent = out.sent();
        if (most.isZero()) {
            deadline.off();
        } else {
            deadline.in(most);
        }
    }

    /** Whether the client has taken something since the time began. */
    public boolean hasMoved() {
        return out.sent() != sent;
    }
}

package io.penstock.http1;

import io.penstock.pipe.ResponsePipe;
import java.time.Duration;

/**
 * The time for which nothing has moved on an upgraded connection. What the client takes is not told to the reactor: it is looked at when
 * the time is over, so that a silence is noticed before twice its time has passed.
 *
 * <p>Thread: the reactor.
 */
final class Silence {
    private final ResponsePipe out;
    private final Deadline deadline;
    private final Duration most;
    private long sent;

    /** @param most zero for ever */
    Silence(ResponsePipe out, Deadline deadline, Duration most) {
        this.out = out;
        this.deadline = deadline;
        this.most = most;
    }

    /** Something has moved just now, or may have. */
    void begin() {
        sent = out.sent();
        if (most.isZero()) {
            deadline.off();
        } else {
            deadline.in(most);
        }
    }

    /** Whether the client has taken something since. */
    boolean isBroken() {
        return out.sent() != sent;
    }
}

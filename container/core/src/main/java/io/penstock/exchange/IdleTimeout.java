package io.penstock.exchange;

import io.penstock.pipe.ResponsePipe;
import java.time.Duration;

/**
 * Limits how long an upgraded stream may be idle. Its received bytes and the bytes that were sent of its pipe both count as traffic. Received
 * bytes restart the deadline at once. For sent bytes, the reactor checks only at the deadline whether the client has accepted bytes since
 * the last restart. So the reactor notices an idle stream after one to two times the limit. In HTTP/1.1 the stream is the connection.
 *
 * <p>Thread: the reactor.
 */
public final class IdleTimeout {
    private final ResponsePipe out;
    private final Deadline deadline;
    private final Duration most;
    private long sent;

    /**
     * @param out the pipe of the stream
     * @param most the longest time without traffic; zero for no limit
     */
    public IdleTimeout(ResponsePipe out, Deadline deadline, Duration most) {
        this.out = out;
        this.deadline = deadline;
        this.most = most;
    }

    /** Restarts the deadline, because bytes have been received, or because the client may have accepted bytes. */
    public void restart() {
        sent = out.sent();
        if (most.isZero()) {
            deadline.off();
        } else {
            deadline.in(most);
        }
    }

    /** Whether the client has accepted bytes since the last {@link #restart}. */
    public boolean hasMoved() {
        return out.sent() != sent;
    }
}

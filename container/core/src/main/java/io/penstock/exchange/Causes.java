package io.penstock.exchange;

import io.penstock.events.CloseCause;
import io.penstock.http.Violation;
import io.penstock.limits.Key;

/** Maps the reason for the refusal of a request to the {@link CloseCause} of the connection. */
public final class Causes {
    private Causes() {}

    public static CloseCause of(Violation violation) {
        Key bound = violation.limit();
        if (bound != null) {
            return of(bound);
        }
        return violation.status() == 503 ? CloseCause.DISK_FULL : CloseCause.BAD_REQUEST;
    }

    public static CloseCause of(Key bound) {
        return switch (bound) {
            case PROXY_HEADER_TIMEOUT -> CloseCause.PROXY_HEADER_TIMEOUT;
            case HANDSHAKE_TIMEOUT -> CloseCause.HANDSHAKE_TIMEOUT;
            case HEAD_TIMEOUT -> CloseCause.HEAD_TIMEOUT;
            case KEEP_ALIVE_TIMEOUT -> CloseCause.KEEP_ALIVE_TIMEOUT;
            case BODY_STALL_TIMEOUT, BODY_TOTAL_TIMEOUT, BODY_MIN_RATE -> CloseCause.BODY_TIMEOUT;
            case SERVICE_TIMEOUT -> CloseCause.SERVICE_TIMEOUT;
            case SHUTDOWN_TIMEOUT -> CloseCause.SHUTDOWN_TIMEOUT;
            case QUEUE, QUEUE_AGE, OVERLOAD_AFTER -> CloseCause.OVERLOADED;
            case PIPE_BUDGET, HEAD_BUDGET -> CloseCause.MEMORY_BUDGET;
            case SPOOL_LIMIT -> CloseCause.DISK_FULL;
            default -> CloseCause.REQUEST_TOO_LARGE;
        };
    }
}

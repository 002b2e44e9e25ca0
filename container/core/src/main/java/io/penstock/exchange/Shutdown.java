package io.penstock.exchange;

import java.time.Duration;

/**
 * The phase of a server's shutdown. The phase only advances, unless the server listens again.
 *
 * <pre>
 *   SERVING --shutdown-delay--> LAST_REQUESTS --shutdown-delay--> FINISHING --all done--------------------> (closed)
 *                                                                      \--shutdown-timeout--> CUTTING --> (closed)
 * </pre>
 *
 * <p>Thread: {@link #advance} and {@link #cancel}: the server's owner. The others: any.
 */
public final class Shutdown {
    /**
     * How long the server waits for the first request of a new connection when it accepts no more connections. The request may already be
     * under way, possibly after a handshake.
     */
    public static final Duration FIRST_REQUEST = Duration.ofSeconds(1);

    private volatile Phase phase = Phase.SERVING;

    /** A phase of the shutdown. */
    public enum Phase {
        SERVING,

        /** No connection is accepted, and every response closes its connection. Idle connections stay open for one more request each. */
        LAST_REQUESTS,

        /** Idle connections have been closed, except new ones. Requests that run or arrive are completed. */
        FINISHING,

        /** A request whose response has not begun is answered 503; workers are interrupted. */
        CUTTING
    }

    /** Advances to {@code next}. No effect if the present phase is later. */
    public void advance(Phase next) {
        if (next.compareTo(phase) > 0) {
            phase = next;
        }
    }

    /** The server serves again. None of its former connections is left. */
    public void cancel() {
        phase = Phase.SERVING;
    }

    /** Whether every response closes its connection. */
    public boolean closesConnections() {
        return phase.compareTo(Phase.LAST_REQUESTS) >= 0;
    }

    /** Whether a connection ends as soon as it has no running request. */
    public boolean isFinishing() {
        return phase.compareTo(Phase.FINISHING) >= 0;
    }

    /** Whether a request whose response has not begun is answered 503. */
    public boolean isCutting() {
        return phase.compareTo(Phase.CUTTING) >= 0;
    }
}

package io.penstock.exchange;

import java.time.Duration;

/**
 * The phase of a server's shutdown. It only goes forward, unless the server listens again.
 *
 * <pre>
 *   SERVING --shutdown-delay--> LAST_REQUESTS --shutdown-delay--> FINISHING --all done--------------------> (closed)
 *                                                                      \--shutdown-timeout--> CUTTING --> (closed)
 * </pre>
 *
 * <p>Thread: {@link #advance} and {@link #cancel} the server's owner, the rest any.
 */
public final class Shutdown {
    /**
     * When no more connections are accepted, the server waits so long for the first request of a connection: the request is on its way,
     * perhaps behind a handshake.
     */
    public static final Duration FIRST_REQUEST = Duration.ofSeconds(1);

    private volatile Phase phase = Phase.SERVING;

    /** A phase of the shutdown. */
    public enum Phase {
        SERVING,

        /** No connection is accepted, and every response closes its connection. Idle connections stay open for one more request each. */
        LAST_REQUESTS,

        /** Idle connections have been closed, except new ones. Requests that run or have begun to arrive are completed. */
        FINISHING,

        /** A request whose response has not begun is answered 503; workers are interrupted. */
        CUTTING
    }

    /** Goes forward to {@code next}; has no effect if the present phase is later. */
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

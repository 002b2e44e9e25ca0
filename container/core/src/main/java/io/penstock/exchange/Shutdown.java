package io.penstock.exchange;

import java.time.Duration;

/**
 * The phase of a server's shutdown. The phases follow one another in the order of {@link Phase}. If the server is started again, the phase
 * is reset to {@link Phase#SERVING}.
 *
 * <pre>
 *   SERVING --shutdown-delay--> LAST_REQUESTS --shutdown-delay--> FINISHING --all done--------------------> (closed)
 *                                                                      \--shutdown-timeout--> CUTTING --> (closed)
 * </pre>
 *
 * <p>Thread: {@link #advance} and {@link #cancel}: the thread that starts or stops the server. All other methods: any.
 */
public final class Shutdown {
    /**
     * The shutdown closes idle connections. But a new connection that has had no request stays open for this time, counted from its
     * opening. Its first request may be on its way, or its handshake may be running.
     */
    public static final Duration FIRST_REQUEST = Duration.ofSeconds(1);

    private volatile Phase phase = Phase.SERVING;

    /** A phase of the shutdown. */
    public enum Phase {
        SERVING,

        /**
         * New connections are not accepted. Each connection is closed after its next response. Idle connections stay open, so that each
         * connection can receive one more request.
         */
        LAST_REQUESTS,

        /**
         * Idle connections have been closed, except new connections ({@link Shutdown#FIRST_REQUEST}). Requests that are running or are
         * arriving will be completed.
         */
        FINISHING,

        /** A request whose response has not begun gets a response with the status 503. Workers are interrupted. */
        CUTTING
    }

    /** Advances to {@code next}. Returns false, and has no effect, if the current phase is the same or a later one. */
    public boolean advance(Phase next) {
        if (next.compareTo(phase) <= 0) {
            return false;
        }
        phase = next;
        return true;
    }

    /** Resets the phase, because the server is started again. All connections from before the shutdown must have ended. */
    public void cancel() {
        phase = Phase.SERVING;
    }

    /** Whether each connection is closed after its next response. */
    public boolean closesConnections() {
        return phase.compareTo(Phase.LAST_REQUESTS) >= 0;
    }

    /** Whether a connection is closed as soon as it has no running request. */
    public boolean isFinishing() {
        return phase.compareTo(Phase.FINISHING) >= 0;
    }

    /** Whether a request whose response has not begun gets a response with the status 503. */
    public boolean isCutting() {
        return phase.compareTo(Phase.CUTTING) >= 0;
    }
}

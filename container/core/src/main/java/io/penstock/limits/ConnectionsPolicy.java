package io.penstock.limits;

/** The treatment of connections beyond {@code max-connections}. */
public enum ConnectionsPolicy {
    /** The new connection is accepted, answered 503, and closed. */
    REFUSE,
    /** The new connection is not accepted until another connection has closed. */
    WAIT,
    /**
     * The server closes an open connection that only waits for its client, and accepts the new connection. If there is no connection to
     * close, the new connection is refused.
     */
    REPLACE
}

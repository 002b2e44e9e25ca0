package io.penstock.limits;

/** The treatment of a connection beyond {@code max-connections}. */
public enum ConnectionsPolicy {
    /** It is accepted, answered 503, and closed. */
    REFUSE,
    /** It is not accepted before another has closed. */
    WAIT,
    /** It replaces a connection that only waits for its client; if there is none, it is refused. */
    REPLACE
}

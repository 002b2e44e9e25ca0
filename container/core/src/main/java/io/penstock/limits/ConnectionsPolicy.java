package io.penstock.limits;

/** What happens to a connection beyond {@code max-connections}. */
public enum ConnectionsPolicy {
    /** It is accepted, answered 503, and closed. */
    REFUSE,
    /** It is not accepted before another has closed. */
    WAIT,
    /** It takes the place of one that only waits for its client; where there is none, it is refused. */
    REPLACE
}

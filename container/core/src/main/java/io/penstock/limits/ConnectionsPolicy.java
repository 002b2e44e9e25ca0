package io.penstock.limits;

/** What becomes of a connection beyond {@code max-connections}. */
public enum ConnectionsPolicy {
    /** It is accepted, answered 503, and closed. */
    REFUSE("refuse"),
    /** It is not accepted before another has closed. */
    WAIT("wait");

    private final String text;

    ConnectionsPolicy(String text) {
        this.text = text;
    }

    static ConnectionsPolicy of(String text) {
        for (ConnectionsPolicy policy : values()) {
            if (policy.text.equals(text)) {
                return policy;
            }
        }
        throw new BadValueException(Key.MAX_CONNECTIONS_POLICY, "must be refuse or wait, not '" + text + "'");
    }
}

package io.penstock.limits;

import org.jspecify.annotations.Nullable;

/**
 * The consequence of reaching a limit, for the client and the operator.
 *
 * @param status the status of the response; 0 if there is no response
 * @param effect the effect on the client, for the documentation
 * @param counter the counter that counts how often the limit is reached; null for none
 */
public record Consequence(
        Kind kind, int status, String effect, @Nullable Counter counter) {

    static final Consequence NONE = new Consequence(Kind.NONE, 0, "", null);

    /** The kind of consequence for a client that exceeds a limit. */
    public enum Kind {
        /** The client notices no effect. */
        NONE,
        /** The server answers without a worker, and calls {@code ConnectionEvents.refused}. */
        REFUSAL,
        /** The worker that serves the request sends the response. */
        ANSWER,
        /** An effect other than a response. */
        EFFECT
    }

    static Consequence refusal(int status, Counter counter) {
        return refusal(status, Integer.toString(status), counter);
    }

    static Consequence refusal(int status, String effect, Counter counter) {
        return new Consequence(Kind.REFUSAL, status, effect, counter);
    }

    static Consequence answer(int status, Counter counter) {
        return new Consequence(Kind.ANSWER, status, Integer.toString(status), counter);
    }

    static Consequence effect(String effect, @Nullable Counter counter) {
        return new Consequence(Kind.EFFECT, 0, effect, counter);
    }

    /** Whether the server answers without a worker. */
    public boolean isRefusal() {
        return kind == Kind.REFUSAL;
    }
}

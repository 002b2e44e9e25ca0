package io.penstock.limits;

import org.jspecify.annotations.Nullable;

/**
 * What the client and the operator see when a limit is reached.
 *
 * @param status what the client is answered; 0 where there is no answer
 * @param effect what happens to the client, as the documentation says it
 * @param counter what counts it, or null where there is nothing to count
 */
public record Consequence(
        Kind kind, int status, String effect, @Nullable Counter counter) {

    static final Consequence NONE = new Consequence(Kind.NONE, 0, "", null);

    /** What happens to a client that exceeds the limit. */
    public enum Kind {
        /** Nothing that the client notices as such. */
        NONE,
        /** The server answers without a worker, and tells {@code ConnectionEvents.refused}. */
        REFUSAL,
        /** The worker that serves the request answers. */
        ANSWER,
        /** Something else than an answer. */
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

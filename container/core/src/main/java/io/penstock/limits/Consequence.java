package io.penstock.limits;

import org.jspecify.annotations.Nullable;

/**
 * What the client and the operator see when a bound bites.
 *
 * @param status what the client is answered; 0 where there is no answer
 * @param effect what happens to the client, as the documentation says it
 * @param counter what counts it, or null where there is nothing to count
 */
public record Consequence(
        int status, String effect, @Nullable Counter counter) {

    static final Consequence NONE = new Consequence(0, "", null);

    static Consequence answer(int status, Counter counter) {
        return new Consequence(status, Integer.toString(status), counter);
    }

    static Consequence effect(String effect, @Nullable Counter counter) {
        return new Consequence(0, effect, counter);
    }
}

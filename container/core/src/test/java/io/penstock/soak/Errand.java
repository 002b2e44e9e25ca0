package io.penstock.soak;

import java.util.Set;

/**
 * One request and what must come back.
 *
 * @param owner the token of the client itself, which its session knows
 * @param statuses those that its answer may have, beside 503, by which a server may refuse any
 * @param answer the body of an answer 200, to the byte
 */
record Errand(Kind kind, String token, String owner, Content request, Set<Integer> statuses, Content answer) {

    /**
     * Whether the connection may end instead of an answer, or in the middle of one: where the time was over while somebody wrote, or
     * where there was no memory for the rest of a body whose answer had begun.
     */
    boolean mayBeCutOff() {
        return kind == Kind.ASYNC_RACE || kind == Kind.STREAM;
    }

    boolean allows(int status) {
        return status == 503 || statuses.contains(status);
    }

    boolean allows(String found) {
        return found.equals(token) || found.equals(owner);
    }

    @Override
    public String toString() {
        return kind + " " + token + " of " + owner;
    }
}

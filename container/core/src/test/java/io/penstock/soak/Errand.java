package io.penstock.soak;

import java.util.Set;

/**
 * One request and its expected answer.
 *
 * @param owner the token of the client, which is stored in its session
 * @param statuses the possible statuses of the answer; the server can also answer 503 to any request
 * @param answer the exact body of an answer with status 200
 */
record Errand(Kind kind, String token, String owner, Content request, Set<Integer> statuses, Content answer) {

    /**
     * Returns whether the connection can end without the complete answer, if the application knows the reason ({@link SoakSite#excuses}).
     * There are two cases. Either the timeout occurred during a write, before any byte was sent. Or the server had no memory for the rest
     * of the request's body after the response had begun.
     */
    boolean mayBeCutOff(Cut where) {
        return kind == Kind.ASYNC_RACE && where == Cut.BEFORE || kind == Kind.STREAM && where == Cut.WITHIN;
    }

    /** The place of an unexpected end of a connection: before the first byte of an answer, or after it. */
    enum Cut {
        BEFORE,
        WITHIN
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

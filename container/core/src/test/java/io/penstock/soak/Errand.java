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
     * Whether the connection may end without the whole answer, if the application knows why ({@link SoakSite#excuses}): instead of
     * one whose time was over while somebody wrote, of which nothing has left then; and in the middle of one that had begun when
     * there was no memory for the rest of the request's body.
     */
    boolean mayBeCutOff(Cut where) {
        return kind == Kind.ASYNC_RACE && where == Cut.BEFORE || kind == Kind.STREAM && where == Cut.WITHIN;
    }

    /** Where a connection ends that is not to end: before an answer's first byte, or after it. */
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

package io.penstock.soak;

import java.util.Set;

/**
 * One request and the expected response.
 *
 * @param token the {@link Token} of the request
 * @param owner the token of the client; the session of the client contains this token
 * @param statuses the possible statuses of the response; status 503 is also possible for each request
 * @param answer the exact body of a response with status 200
 */
record SoakRequest(Kind kind, String token, String owner, Content request, Set<Integer> statuses, Content answer) {

    /**
     * Returns whether the connection may end before the response is complete. The application must have recorded the token of the request
     * ({@link SoakSite#excuses}). The server may end the connection in two cases. In the first case, the timeout of an asynchronous
     * request occurred during a write, before any byte was sent. In the second case, the response had begun, and then the server had no
     * memory for the rest of the request body.
     */
    boolean mayBeCutOff(Cut where) {
        return kind == Kind.ASYNC_RACE && where == Cut.BEFORE || kind == Kind.STREAM && where == Cut.WITHIN;
    }

    /** The moment of an unexpected end of a connection: before the first byte of a response, or within the response. */
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

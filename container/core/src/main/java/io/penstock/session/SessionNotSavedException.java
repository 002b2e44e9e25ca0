package io.penstock.session;

import java.io.IOException;

/**
 * Changes of a session could not be stored, so the client must not get a response that depends on them. The response becomes 503 if its
 * head has not been sent; otherwise it is aborted.
 */
public final class SessionNotSavedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SessionNotSavedException(IOException cause) {
        super("a session could not be saved", cause);
    }
}

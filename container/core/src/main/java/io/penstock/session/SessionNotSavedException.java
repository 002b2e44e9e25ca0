package io.penstock.session;

import java.io.IOException;

/**
 * Changes of a session could not be stored, so the client must not be told of them: the response becomes 503 if its head has not been sent,
 * and is cut otherwise.
 */
public final class SessionNotSavedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SessionNotSavedException(IOException cause) {
        super("a session could not be saved", cause);
    }
}

package io.penstock.session;

/**
 * Thrown when an application needs a new session, but the number of sessions has reached the limit. If the application does not catch this
 * exception, the request is answered 503.
 */
public final class TooManySessionsException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    public TooManySessionsException(int max) {
        super("there are " + max + " sessions already, as many as max-sessions allows");
    }
}

package io.penstock.session;

/** An application asks for a session beyond the limit. Unless it catches this, the request is answered 503. */
public final class TooManySessionsException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    public TooManySessionsException(int max) {
        super("there are " + max + " sessions already, as many as max-sessions allows");
    }
}

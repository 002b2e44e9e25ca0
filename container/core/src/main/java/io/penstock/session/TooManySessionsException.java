package io.penstock.session;

/** An application has as many sessions as are allowed, and asks for another. Unless it catches this, the request is answered 503. */
public final class TooManySessionsException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    public TooManySessionsException(int max) {
        super("there are " + max + " sessions, which is the most that there may be (max-sessions)");
    }
}

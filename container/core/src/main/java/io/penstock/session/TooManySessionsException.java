package io.penstock.session;

/** A session was asked for, and the application has as many as it may have; the request is answered 503 if nobody minds. */
public final class TooManySessionsException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    public TooManySessionsException(int most) {
        super("there are " + most + " sessions, which is the most that there may be (max-sessions)");
    }
}

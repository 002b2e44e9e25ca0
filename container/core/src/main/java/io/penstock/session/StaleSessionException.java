package io.penstock.session;

/** A session was saved although another version of it had been saved since it was loaded. */
public final class StaleSessionException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public StaleSessionException(long kept, long saved) {
        super("session has version " + kept + " in the store; version " + saved + " cannot replace it");
    }
}

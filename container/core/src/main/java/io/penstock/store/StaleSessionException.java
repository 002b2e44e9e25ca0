package io.penstock.store;

import java.io.IOException;

/**
 * Thrown by {@link SessionStore#save} if the store refuses a change. Another server has changed the session after this server loaded it.
 * The store has saved no part of the refused change.
 */
public final class StaleSessionException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * @param stored the version of the session in the store
     * @param base the version to which the refused change applies
     */
    public StaleSessionException(long stored, long base) {
        super("the session in the store has version " + stored + ", so a change based on version " + base
                + " cannot be saved");
    }
}

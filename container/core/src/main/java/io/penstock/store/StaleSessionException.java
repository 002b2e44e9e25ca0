package io.penstock.store;

import java.io.IOException;

/** A session was not saved, because another server has changed it after this server loaded it. No part of the change is in the store. */
public final class StaleSessionException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * @param stored the version in the store
     * @param base the version on which the refused change was based
     */
    public StaleSessionException(long stored, long base) {
        super("the session in the store has version " + stored + ", and a change to version " + base
                + " cannot be saved");
    }
}

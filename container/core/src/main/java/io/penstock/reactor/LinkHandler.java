package io.penstock.reactor;

import java.io.IOException;

/**
 * Handles the events of one {@link Link}. Only the reactor calls these methods, and no method may block. An exception closes this link
 * only.
 */
public interface LinkHandler {

    /**
     * The handler that speaks HTTP with the client. The result is this handler, or the wrapped handler if this handler belongs to a {@link
     * LinkLayer}.
     */
    default LinkHandler conversation() {
        return this;
    }

    void onReadable() throws IOException;

    void onWritable() throws IOException;

    /** Called after other threads have called {@link Link#signal}. {@code bits} contains the bits of all their signals. */
    void onSignals(int bits) throws IOException;

    /** Called exactly once, after the channel has been closed. */
    void onClosed(ConnectionClosed cause);
}

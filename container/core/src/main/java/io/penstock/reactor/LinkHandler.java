package io.penstock.reactor;

import java.io.IOException;

/** Handles the events of a link for its conversation. Thread: the reactor; nothing here blocks. An exception closes this link only. */
public interface LinkHandler {

    /** The conversation with the client: this handler, or, for a handler that belongs to a link over a link, the handler that it wraps. */
    default LinkHandler conversation() {
        return this;
    }

    void onReadable() throws IOException;

    void onWritable() throws IOException;

    /** Other threads have called {@link Link#signal}; {@code bits} is the union of their signals. */
    void onSignals(int bits) throws IOException;

    /** The channel is closed; called exactly once. */
    void onClosed(ConnectionClosed cause);
}

package io.penstock.reactor;

import java.io.IOException;

/**
 * What a conversation does when something happens on its link. Thread: the reactor; nothing here blocks. A throw closes the link,
 * and only it.
 */
public interface LinkHandler {

    /** The conversation with the client: what this handler carries, where it belongs to a link over a link. */
    default LinkHandler conversation() {
        return this;
    }

    void onReadable() throws IOException;

    void onWritable() throws IOException;

    /** Another thread asked for attention; {@code bits} is the union of what it and others signalled. */
    void onSignals(int bits) throws IOException;

    /** The channel is closed; called exactly once. */
    void onClosed(ConnectionClosed cause);
}

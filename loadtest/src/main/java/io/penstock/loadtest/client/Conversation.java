package io.penstock.loadtest.client;

import java.io.IOException;
import java.nio.ByteBuffer;

/** What one connection is used for. Thread: only the loop calls it; no method may wait. */
public interface Conversation {

    /** The connection is made. */
    void onOpen(Wire wire);

    /**
     * Bytes have come; those that are not taken now are lost.
     *
     * @throws IOException if they are not what was expected; the connection ends with that cause
     */
    void onBytes(Wire wire, ByteBuffer bytes) throws IOException;

    /**
     * The connection is closed, and not by this side's wish: it was never made, the peer has closed it (then the cause is
     * an {@code EOFException}), or something failed. It is the last call.
     */
    void onEnd(Wire wire, IOException cause);
}

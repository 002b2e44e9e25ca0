package io.penstock.loadtest.client;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * What one connection is used for. Thread: only the loop calls it; no method may wait. A runtime exception from any of
 * them ends this connection, and no other.
 */
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
     * The socket has taken all that was sent.
     *
     * @throws IOException if what is to be sent next cannot be had; the connection ends with that cause
     */
    default void onSent(Wire wire) throws IOException {}

    /**
     * The connection is closed, and not by this side's wish: it was never made, the peer has closed it
     * ({@link Failure#CLOSED_EARLY}), or something failed. It is the last call.
     */
    void onEnd(Wire wire, CallException cause);
}

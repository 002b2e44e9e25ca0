package io.penstock.loadtest.client;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The use of one connection. Thread: only the loop calls it; no method may wait. A runtime exception from any method ends this
 * connection, and no other.
 */
public interface Conversation {

    /** The connection is made. */
    void onOpen(Wire wire);

    /**
     * Bytes have come. Bytes that this call does not take are lost.
     *
     * @throws IOException if the bytes are not as expected; the connection ends with that cause
     */
    void onBytes(Wire wire, ByteBuffer bytes) throws IOException;

    /**
     * The socket has taken all that was sent.
     *
     * @throws IOException if the next bytes to send are not available; the connection ends with that cause
     */
    default void onSent(Wire wire) throws IOException {}

    /**
     * The connection has ended, but this side has not closed it. It was never made, the peer closed it ({@link
     * Failure#CLOSED_EARLY}), or it failed. This is the last call.
     */
    void onEnd(Wire wire, CallException cause);
}

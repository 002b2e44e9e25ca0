package io.penstock.loadtest.client;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Receives the bytes and events of one connection ({@link Wire}). Thread: the thread of the {@link ClientLoop}, so no method may wait. If a
 * method throws a runtime exception, only this connection ends.
 */
public interface Conversation {

    /** The connection is made. */
    void onOpen(Wire wire);

    /**
     * Bytes have been received. Bytes that this call does not take from the buffer are lost.
     *
     * @throws IOException if the bytes are not as expected; the connection ends with this exception as its cause
     */
    void onBytes(Wire wire, ByteBuffer bytes) throws IOException;

    /** The socket has taken all bytes that were sent. */
    default void onSent(Wire wire) {}

    /**
     * The connection has ended without a call of {@link Wire#close} or {@link Wire#abort}. For example, the connection could not be made,
     * the server has closed it ({@link Failure#CLOSED_EARLY}), or the {@link ClientLoop} has ended. No method is called after this.
     */
    void onEnd(Wire wire, CallException cause);
}

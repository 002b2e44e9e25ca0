package io.penstock.websocket.frame;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The bytes of a WebSocket connection to its peer. Thread: {@link #write}: one thread at a time; the other methods: any.
 */
public interface Transport {

    /**
     * Takes as many bytes as possible without waiting for the peer, first of {@code head}, then of {@code payload}. The positions of the
     * buffers show how many bytes have been taken. Takes no bytes of {@code payload} before all of {@code head}.
     *
     * @throws IOException if the connection has ended
     */
    void write(ByteBuffer head, ByteBuffer payload) throws IOException;

    /**
     * Waits until the transport can take bytes again.
     *
     * @return false after {@code nanos}
     * @throws IOException if the connection has ended, or if the thread is interrupted
     */
    boolean awaitRoom(long nanos) throws IOException;

    /** Runs {@code action} once, on a thread that may call {@link #write}, as soon as the transport can take bytes again or has ended. */
    void whenRoom(Runnable action);

    /** Runs {@code job} on a thread of the application, never beside another job or beside the thread that feeds the connection. */
    void execute(Runnable job);

    /** Ends the connection when the bytes that were taken have been sent. Does not wait. Idempotent. */
    void close();

    /** Ends the connection at once. Idempotent. */
    void abort(Throwable cause);
}

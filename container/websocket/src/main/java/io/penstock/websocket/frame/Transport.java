package io.penstock.websocket.frame;

import io.penstock.part.UpgradedConnection.Figure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Future;

/** The bytes of a WebSocket connection to its peer. Thread: {@link #write} and {@link #awaitRoom}: one at a time; the others: any. */
public interface Transport {

    /**
     * Takes bytes, first of {@code head}, then of {@code payload}. The positions of the buffers show how many have been taken.
     *
     * @param mayWait whether the call may wait for the disk, or for the network if there is no disk to take the bytes. Otherwise it takes
     *     what memory and the socket take at once. Never waits for a client of the server
     * @throws IOException if the connection has ended
     */
    void write(ByteBuffer head, ByteBuffer payload, boolean mayWait) throws IOException;

    /** Whether a {@link #write} that may wait can wait for the peer, without a limit. */
    default boolean writesWaitForPeer() {
        return false;
    }

    /**
     * Waits until {@link #write} can take bytes again.
     *
     * @return false after {@code nanos}
     * @throws IOException if the connection has ended, or if the thread is interrupted
     */
    boolean awaitRoom(long nanos) throws IOException;

    /** Runs {@code action} once, as {@link #work} does, as soon as {@link #write} can take bytes again or the connection has ended. */
    void whenRoom(Runnable action);

    /** Runs {@code action} soon, on a thread that may wait for the disk. */
    void work(Runnable action);

    /** Runs {@code job} on a thread of the application, never beside another job or beside the thread that feeds the connection. */
    void execute(Runnable job);

    /** Runs {@code action} after a time, on a thread that must not wait. */
    Future<?> after(long millis, Runnable action);

    /** The bytes that {@link #write} has taken, and the peer has not, as far as this side knows. A client does not know. */
    default long pendingBytes() {
        return 0;
    }

    /** Adds to a figure of the server. A client has none. */
    default void count(Figure figure, long number) {}

    /** Ends the connection when the bytes that were taken have been sent. Does not wait. Idempotent. */
    void close();

    /** Ends the connection at once. Idempotent. */
    void abort(Throwable cause);
}

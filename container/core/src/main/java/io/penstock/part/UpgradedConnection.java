package io.penstock.part;

import io.penstock.events.CloseCause;
import jakarta.servlet.http.WebConnection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Future;

/**
 * An upgraded connection, for parts of the container. The {@link WebConnection} that an {@link jakarta.servlet.http.HttpUpgradeHandler}
 * receives implements this interface.
 *
 * <p>A part that sends messages uses {@link #offer} instead of the output stream, because a write to the stream waits for a slow client when
 * memory and disk are full.
 *
 * <p>Thread: {@link #offer} and {@link #awaitRoom}: one thread at a time; the other methods: any.
 */
public interface UpgradedConnection extends WebConnection {

    /** What the server counts for its operator. */
    enum Figure {
        FRAMES_RECEIVED,
        FRAMES_SENT,
        MESSAGES_RECEIVED,
        MESSAGES_SENT,
        /** The bytes of compressed messages, received or sent, as on the wire. */
        COMPRESSED_BYTES,
        /** The bytes of the same messages without compression. */
        UNCOMPRESSED_BYTES
    }

    /**
     * Whether the connection must end because its application or the server stops. The result becomes true before the input ends. So code
     * that reads the end of the input can send this reason to the client.
     */
    boolean isLeaving();

    /**
     * Ends reading and writing. The server still sends the bytes that were written before, and then ends the connection. This method does
     * not wait.
     */
    @Override
    void close();

    /**
     * Takes bytes for the client without waiting for the client, first of {@code head}, then of {@code payload}. The bytes are sent, or kept
     * in memory. When memory is full, they go to disk. The positions of the buffers show how many bytes have been taken.
     *
     * @param mayUseDisk whether bytes may go to disk, so that the thread may wait for the disk
     * @throws IOException if the connection has ended, or was closed
     */
    void offer(ByteBuffer head, ByteBuffer payload, boolean mayUseDisk) throws IOException;

    /**
     * Waits until {@link #offer} can take bytes into memory. During the wait, a worker counts as streaming.
     *
     * @return false if {@code nanos} have passed first
     * @throws IOException if the connection has ended, if the thread is interrupted, or if too many workers wait for clients already
     */
    boolean awaitRoom(long nanos) throws IOException;

    /** As {@link #work}, but when {@link #offer} can take bytes into memory, or when the connection has ended. */
    void whenRoom(Runnable action);

    /** Runs {@code action} once on a worker, possibly beside a listener of the streams. The action may wait for the disk. */
    void work(Runnable action);

    /** Runs {@code job} on a worker with the class loader of the application, and never beside a listener of the streams. */
    void execute(Runnable job);

    /** Runs {@code action} after {@code delay}, on the thread of the server's scheduler. The action must not wait. */
    Future<?> after(Duration delay, Runnable action);

    /** The bytes that {@link #offer} has taken, and the client has not: in memory and on disk. */
    long pendingBytes();

    /** Why the connection has ended, for a failure that a listener of the streams gets. */
    CloseCause cause(Throwable failure);

    /** Adds to a figure of the server. */
    void count(Figure figure, long number);

    /** Ends the connection at once, by a reset. */
    void abort(Throwable cause);
}

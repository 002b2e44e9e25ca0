package io.penstock.exchange;

import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import io.penstock.pipe.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * Accepts the response of an exchange: head, buffers, file regions, end.
 *
 * <p>Thread: one application thread at a time. If the pipe is full, a call waits a little for a client that keeps up. Otherwise the bytes
 * go to disk, up to a limit. Beyond the limit, the call waits for the client, at most for {@code write-stall-timeout}, and then throws.
 * After a failure, every call throws the first cause. The protocol frames the body. For HEAD, 204 and 304, the bytes of the body are
 * counted and dropped.
 */
public interface ResponseSink {

    /** Sends an informational response (1xx) at once. Ignored after the final head, and for HTTP/1.0 clients. */
    void informational(int status, Fields fields) throws IOException;

    /** Sets the final head. Must be called exactly once, before the body. The head is sent together with the first bytes of the body. */
    void head(ResponseHead head);

    /** A buffer from the server's budget, for bytes of the body. It must be passed to {@link #write(Segment, boolean)} or released. */
    Segment segment();

    /**
     * The number of bytes that the caller may collect in buffers of {@link #segment}, so that fewer writes are needed. While memory is
     * short, this is at most the size of one buffer.
     */
    default int mayHold() {
        return 0;
    }

    /**
     * Writes the bytes between position and limit. The sink owns the segment from here on, even if the call throws.
     *
     * @param last whether the response ends with these bytes
     */
    void write(Segment segment, boolean last) throws IOException;

    /**
     * As {@link #write(Segment, boolean)}, if more bytes follow at once. The sink may send these bytes later, in one write with the
     * following bytes.
     */
    default void gather(Segment segment) throws IOException {
        write(segment, false);
    }

    /**
     * Writes bytes from the caller's buffer. The bytes that the socket accepts are sent directly. The rest is copied to memory or to disk.
     * The buffer is consumed when the call returns.
     */
    void write(ByteBuffer source, boolean last) throws IOException;

    /**
     * Writes part of a file. The sink closes the channel when the part has been sent, or if the call throws. The call does not wait until
     * the part is sent.
     */
    void write(FileChannel file, long position, long count, boolean last) throws IOException;

    /** Sends all bytes that were handed over, including the head. If the response has ended, it no longer waits for the next response. */
    void flush() throws IOException;

    /**
     * Ends the response, with trailer fields if the framing supports them. No effect after a {@code last} write. After this call or a
     * {@code last} write, the response may wait a few milliseconds, so that it can be sent in one write with the client's next response.
     */
    void finish(Fields trailers) throws IOException;

    /** From here on, the caller writes only after {@link #isReady} has returned true. So no write waits, and no bytes go to disk. */
    void nonBlocking();

    /** Whether a write would not wait for the client. */
    boolean isReady();

    /** Runs {@code action} once, on any thread, as soon as {@link #isReady()} is true, which may be at once. The action must not block. */
    void whenReady(Runnable action);

    /**
     * Aborts the response, unless it has ended. This works even while a thread writes it. The connection is closed, so the client can
     * notice that the response is incomplete. Any thread; does not wait.
     */
    void abort(Throwable cause);
}

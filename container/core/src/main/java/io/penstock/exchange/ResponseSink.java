package io.penstock.exchange;

import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import io.penstock.pipe.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * Accepts the response of an exchange: the head, the bytes of the body, and the end.
 *
 * <p>The bytes of the response are buffered in memory. If the memory for this response is full, a write waits some milliseconds for the
 * client. If the client is too slow, the bytes go to disk, up to a limit. If the limit is reached, the write waits for the client. This
 * wait lasts at most {@code write-stall-timeout}, and then the write throws an exception. After a failure, every call throws the first
 * cause.
 *
 * <p>The implementation for a protocol adds the framing of the body. A response to HEAD and a response with the status 204 or 304 have no
 * body. In these cases, the sink counts the written bytes and drops them.
 *
 * <p>Thread: one application thread at a time.
 */
public interface ResponseSink {

    /**
     * Sends an informational response (1xx) at once. The call has no effect after the final head has been set, or if the client uses
     * HTTP/1.0.
     */
    void informational(int status, Fields fields) throws IOException;

    /** Sets the final head. Must be called exactly once, before the body. The head is sent together with the first bytes of the body. */
    void head(ResponseHead head);

    /**
     * Returns a buffer from the server's memory budget, for bytes of the body. The caller must pass the buffer to {@link #write(Segment,
     * boolean)} or {@link #gather}, or must release it.
     */
    Segment segment();

    /**
     * The number of bytes that the caller may collect in buffers of {@link #segment} before a write, so that fewer writes are needed. While
     * memory is short, the number is at most the size of one buffer.
     */
    default int mayHold() {
        return 0;
    }

    /**
     * Writes the bytes between the position and the limit of the segment's buffer. The sink owns the segment from now on, even if the call
     * throws.
     *
     * @param last whether the response ends with these bytes
     */
    void write(Segment segment, boolean last) throws IOException;

    /**
     * As {@link #write(Segment, boolean)}, but must be called only if the caller writes more bytes immediately. The sink can send these
     * bytes later, in one system call together with the next bytes.
     */
    default void gather(Segment segment) throws IOException {
        write(segment, false);
    }

    /**
     * Writes the bytes of the caller's buffer. The bytes that the socket accepts are sent directly. The remaining bytes are copied to
     * memory or written to disk. When the call returns, the caller can reuse the buffer.
     */
    void write(ByteBuffer source, boolean last) throws IOException;

    /**
     * Writes part of a file. The call does not wait until the part is sent. The sink closes the channel when the part has been sent, or if
     * the call throws.
     */
    void write(FileChannel file, long position, long count, boolean last) throws IOException;

    /**
     * Sends all written bytes, including the head. After {@link #finish}, the end of the response can be delayed. In this case, this call
     * sends the end at once.
     */
    void flush() throws IOException;

    /**
     * Ends the response. Sends the trailer fields if the framing supports them. Has no effect after a {@code last} write. After this call
     * or a {@code last} write, the end of the response can be delayed by a few milliseconds, so that it is sent in one system call together
     * with the response to the client's next request.
     */
    void finish(Fields trailers) throws IOException;

    /** From now on, the caller writes only after {@link #isReady} has returned true. So no write waits, and no bytes go to disk. */
    void nonBlocking();

    /** Whether a write would not wait for the client. */
    boolean isReady();

    /**
     * Runs {@code action} once, on any thread, as soon as {@link #isReady()} is true. The action can run before this call returns. The
     * action must not block.
     */
    void whenReady(Runnable action);

    /**
     * Aborts the response. Has no effect if the response has ended. Any thread may call this method, also while another thread writes the
     * response. The stream is ended (in HTTP/1.1 the connection is closed), so that the client can notice that the response is incomplete.
     * Does not wait.
     */
    void abort(Throwable cause);
}

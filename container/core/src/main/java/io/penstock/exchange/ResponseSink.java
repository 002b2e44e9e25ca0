package io.penstock.exchange;

import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import io.penstock.pipe.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * Where an exchange's response goes: head, buffers, file regions, end; never a channel.
 *
 * <p>Thread: one application thread at a time. A call that finds the pipe full waits a little if the client keeps up. Otherwise the bytes
 * go to disk, up to a limit. Beyond the limit the call waits for the client, at most for the write-stall timeout, and then throws. After a
 * failure every call throws the first cause. The protocol frames the body: for HEAD, 204 and 304 the bytes are counted and dropped.
 */
public interface ResponseSink {

    /** An informational response (1xx), sent at once. Ignored after the final head and towards HTTP/1.0. */
    void informational(int status, Fields fields) throws IOException;

    /** The final head, called exactly once and before the body. The head is held back and leaves together with the first body bytes. */
    void head(ResponseHead head);

    /** A buffer of the server's budget for composing body bytes; hand it to {@link #write(Segment, boolean)} or release it. */
    Segment segment();

    /**
     * How many bytes the caller may hold in such buffers without need, so that fewer writes send them. No more than one buffer while memory
     * is short.
     */
    default int mayHold() {
        return 0;
    }

    /**
     * Body bytes between position and limit; the segment is the sink's from here on, also if the call throws.
     *
     * @param last whether the response ends with them
     */
    void write(Segment segment, boolean last) throws IOException;

    /**
     * As {@link #write(Segment, boolean)}, when more bytes follow at once: the bytes may wait, and be sent in one write with the following
     * bytes.
     */
    default void gather(Segment segment) throws IOException {
        write(segment, false);
    }

    /** Body bytes from the caller's buffer, consumed when the call returns: sent directly, the remainder copied. */
    void write(ByteBuffer source, boolean last) throws IOException;

    /** Part of a file. The sink closes the channel when the part has been sent, or if the call throws. The worker need not wait. */
    void write(FileChannel file, long position, long count, boolean last) throws IOException;

    /** Sends everything handed over to the client, including the head, and a whole response that waits for the next one. */
    void flush() throws IOException;

    /**
     * Ends the complete response, with trailer fields if the framing can carry them. No effect after {@code last}. In both cases the
     * response may wait a few milliseconds for the client's next response, to be sent in one write with it.
     */
    void finish(Fields trailers) throws IOException;

    /** From here on the caller writes only after {@link #isReady} has returned true. So no write waits, and no bytes go to disk. */
    void nonBlocking();

    /** Whether a write would not wait for the client. */
    boolean isReady();

    /** Runs {@code action} once, on any thread and without blocking, as soon as {@link #isReady()} holds; at once if it does. */
    void whenReady(Runnable action);

    /**
     * Aborts the response, even while a thread writes it, unless it has ended. The connection is closed, so the client sees that the
     * response is incomplete. Any thread; does not wait.
     */
    void abort(Throwable cause);
}

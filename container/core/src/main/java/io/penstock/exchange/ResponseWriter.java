package io.penstock.exchange;

import io.penstock.pipe.ResponsePipe;
import io.penstock.pipe.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Sends the bytes of responses: a pipe, and the right to write to what carries its bytes. In HTTP/1.1 this is the connection, and the
 * responses of a connection share one writer ({@link LinkWriter}). In HTTP/2 it is a stream, and each stream has its own writer. A thread
 * that adds bytes to the pipe tries to send them at once. What cannot be sent at once, the reactor sends later.
 *
 * <p>Thread: methods with the prefix {@code worker}: the thread that adds bytes, usually a worker; one at a time. {@link #pipe} and {@link
 * #isEmpty}: any.
 */
public interface ResponseWriter {

    /** The result of {@link #holdFile} of a connection with one response at a time. */
    Runnable UNCOUNTED = () -> {};

    ResponsePipe pipe();

    /** Whether no bytes of responses wait to be sent at this moment. */
    boolean isEmpty();

    /**
     * How many bytes of all responses of the connection the client has taken. A response that waits for its turn is not slow while the client
     * takes others. -1 if the client permits no byte of this response, so that it does not wait for others. Any thread.
     */
    long progress();

    /**
     * Counts a file that the pipe will hold until the client has taken its bytes. A client that takes none could otherwise make the server
     * use up its file descriptors, with many responses at a time. Any thread.
     *
     * @return ends the count. Must be called once, by any thread; null if the pipe must not hold a file now
     */
    default @Nullable Runnable holdFile() {
        return UNCOUNTED;
    }

    /**
     * How many of the first bytes of the pipe must stay in it, since the client has got the beginning of their frame: nothing else may be
     * sent before them. Thread: the writer, under the lock of the pipe, while no thread drains the pipe.
     */
    default int begunBytes() {
        return 0;
    }

    /**
     * Called when the last byte of a response is in the pipe. The caller sends the pipe's bytes after this call, possibly together with the
     * next response.
     */
    void responseComplete(RequestObserver observer);

    /** Sends the bytes of the pipe, until no more can be sent at once. */
    void workerFlush() throws IOException;

    /**
     * Reserves the right to write for {@code count} bytes of the caller, if nothing waits to be sent before them, and if they can be sent at
     * once. The caller must then call {@link #workerSend}.
     *
     * @return the position of the first of these bytes in the output; -1 if the caller must put the bytes into the pipe
     */
    long workerReserve(int count) throws IOException;

    /** Sends the bytes of {@link #workerReserve}. The bytes that cannot be sent at once go into the pipe. */
    void workerSend(Segment segment) throws IOException;

    /**
     * As {@link #workerFlush}. Must be called instead of that method if the caller has taken bytes out of the pipe and has put them back.
     */
    void workerFlushPutBack() throws IOException;

    /**
     * Sends the bytes of the pipe and then the caller's bytes, in one gathering write, until no more can be sent at once. If the pipe
     * refuses further bytes, for example after an abort of the response, none of the caller's bytes are sent.
     */
    void workerTry(ByteBuffer source) throws IOException;
}

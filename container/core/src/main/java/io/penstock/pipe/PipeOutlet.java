package io.penstock.pipe;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * The destination of a {@link ResponsePipe}: a connection that takes as many bytes as it can at the moment. No method blocks.
 *
 * <p>Bytes that an outlet has <em>taken</em> belong to the outlet; the pipe has removed these bytes. Bytes are <em>sent</em> when the
 * outlet has written them to the socket. A plain socket sends all bytes that it takes. An outlet with encryption can hold back part of a
 * record. Such an outlet takes no more bytes until it has sent this part. So unsent bytes in the outlet always belong to the last write.
 *
 * <p>Thread: the holder of the connection's write token, except for {@link #isFlushed}.
 */
public interface PipeOutlet {

    /** Takes bytes of several buffers in one write. Returns the number of taken bytes; 0 if the outlet cannot take bytes at present. */
    long write(ByteBuffer[] sources, int offset, int length) throws IOException;

    /** Takes bytes of one buffer in one write. Returns the number of taken bytes; 0 if the outlet cannot take bytes at present. */
    default long write(ByteBuffer source) throws IOException {
        return write(new ByteBuffer[] {source}, 0, 1);
    }

    /** Takes bytes of a file. Returns the number of taken bytes; 0 if the outlet cannot take bytes at present. */
    long transferFrom(FileChannel file, long position, long count) throws IOException;

    /**
     * Whether the client receives as fast as the server sends. The result is true if the outlet has sent all bytes of the last write from a
     * file, and all bytes of later writes. For such a client a worker can continue to send instead of the reactor. For a slower client the
     * outlet would not take the bytes of the worker.
     */
    default boolean keepsUp() {
        return false;
    }

    /**
     * Sends the bytes that the outlet has taken and not sent. Also sends bytes of the outlet itself, such as handshake messages.
     *
     * @return whether all these bytes have been sent
     */
    default boolean flush() throws IOException {
        return true;
    }

    /** Whether the outlet has no unsent bytes, so that {@link #flush} is not necessary. Any thread may call this method. */
    default boolean isFlushed() {
        return true;
    }
}

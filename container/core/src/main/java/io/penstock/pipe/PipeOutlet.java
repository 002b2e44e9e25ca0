package io.penstock.pipe;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * The destination of a response pipe: a connection that takes as many bytes as it can at the moment. Nothing here waits.
 *
 * <p>Bytes that an outlet has <em>taken</em> belong to it, and no longer to the pipe. They are <em>sent</em> once the socket has them. A
 * plain socket sends what it takes. An outlet that encrypts may hold part of a record back. It takes nothing more until it has sent that
 * part. So only bytes of the last write can be taken and not sent.
 *
 * <p>Thread: the holder of the connection's write token, except for {@link #isFlushed}.
 */
public interface PipeOutlet {

    /** A gathering write; returns the bytes taken, 0 if none can be taken at present. */
    long write(ByteBuffer[] sources, int offset, int length) throws IOException;

    /** Takes bytes of a file; returns how many, 0 if none can be taken at present. */
    long transferFrom(FileChannel file, long position, long count) throws IOException;

    /**
     * Whether the outlet has taken and sent all that it was last offered of a file, and all other bytes since then. If so, the client
     * keeps up, and a worker may continue to send in place of the reactor. For any other client the attempt of a worker would fail.
     */
    default boolean keepsUp() {
        return false;
    }

    /**
     * Sends the bytes that were taken and are not sent, and bytes of the outlet itself, such as its part of a handshake.
     *
     * @return whether all have been sent
     */
    default boolean flush() throws IOException {
        return true;
    }

    /** Whether {@link #flush} has nothing to do. Any thread. */
    default boolean isFlushed() {
        return true;
    }
}

package io.penstock.exchange;

import io.penstock.http.Fields;
import io.penstock.spool.SpoolFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The body of a request, as a worker reads it. The bytes of the framing are already removed.
 *
 * <p>A read blocks only in the mode {@link Admission.Mode#STREAMING}, and at most for {@code body-stall-timeout}. If the body has ended too
 * early, a read throws the failure. The reasons for such an end are a reset by the client, a violation of the protocol, and a client that
 * sends no bytes for too long.
 *
 * <p>Thread: one application thread at a time.
 */
public interface RequestBody {

    /** The declared length in bytes; -1 if no length is declared; 0 if the request has no body. */
    long length();

    /**
     * Reads at least one byte, and blocks if necessary. Returns the number of bytes, or -1 at the end of the body. Returns 0 only if {@code
     * length} is 0.
     */
    default int read(byte[] target, int offset, int length) throws IOException {
        return read(ByteBuffer.wrap(target, offset, length));
    }

    /** As {@link #read(byte[], int, int)}, but reads into a buffer. Returns 0 only if the buffer has no room. */
    int read(ByteBuffer target) throws IOException;

    /** The number of bytes that can be read without blocking. */
    int available();

    /** Whether the last byte has been read. */
    boolean isFinished();

    /** Whether a read would return or throw at once, because bytes are available, or because the body has ended or failed. */
    boolean isReady();

    /** Throws the failure that has ended the body early. Does nothing if there is no failure. */
    default void check() throws IOException {}

    /**
     * Runs {@code action} once, on any thread, as soon as {@link #isReady()} is true. The action can run before this call returns. The
     * action must not block.
     */
    void whenReady(Runnable action);

    /** The trailer fields; empty until the end of the body has been read. */
    Fields trailers();

    /**
     * Releases the buffer for reads. Useful if no read is expected for a while. No byte is lost. Any thread may call this method, also
     * while another thread reads. Does not wait.
     */
    default void dropBuffer() {}

    /** The file with the whole body; null if the body is not on disk. The file is closed when the exchange is over. */
    default @Nullable SpoolFile file() {
        return null;
    }
}

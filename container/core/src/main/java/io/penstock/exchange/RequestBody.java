package io.penstock.exchange;

import io.penstock.http.Fields;
import io.penstock.spool.SpoolFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The worker's end of a request body, already unframed.
 *
 * <p>Thread: one application thread at a time. A read blocks only if the request streams ({@link Admission.Mode#STREAMING}), and
 * then at most for the body-stall timeout; it throws what ended the body early (reset, violation, stall).
 */
public interface RequestBody {

    /** Declared length in bytes, or -1 where the body is chunked; 0 where there is none. */
    long length();

    /** Reads at least one byte, blocking if it must; -1 at the end of the body; 0 only if {@code length} is 0. */
    default int read(byte[] target, int offset, int length) throws IOException {
        return read(ByteBuffer.wrap(target, offset, length));
    }

    /** As {@link #read(byte[], int, int)} into a buffer with room. */
    int read(ByteBuffer target) throws IOException;

    /** Bytes that can be read without blocking. */
    int available();

    /** Whether the last byte has been read. */
    boolean isFinished();

    /** Whether a read would not block: bytes, the end, or a failure is there. */
    boolean isReady();

    /** Throws what ended the body early, if something did: a read would throw it, too. */
    default void check() throws IOException {}

    /** Runs {@code action} once, on any thread and without blocking, as soon as {@link #isReady()} holds; at once if it does. */
    void whenReady(Runnable action);

    /** The trailer fields; empty until the end of the body has been read. */
    Fields trailers();

    /**
     * Gives back the memory that only makes reading faster: nothing reads for a while. No byte is lost. Any thread, also beside a read; does
     * not wait.
     */
    default void dropBuffer() {}

    /** The file that holds the whole body, where it was too large for memory; it is closed with the exchange. */
    default @Nullable SpoolFile file() {
        return null;
    }
}

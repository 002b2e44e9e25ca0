package io.penstock.exchange;

import io.penstock.http.Fields;
import io.penstock.spool.SpoolFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The worker's end of a request body, without its framing.
 *
 * <p>Thread: one application thread at a time. A read blocks only if the request streams ({@link Admission.Mode#STREAMING}), and then no
 * longer than {@code body-stall-timeout}. If the body has ended early (reset, violation, stall), a read throws the failure.
 */
public interface RequestBody {

    /** Declared length in bytes; -1 if no length is declared; 0 if the request has no body. */
    long length();

    /** Reads at least one byte, and blocks if necessary; -1 at the end of the body; 0 only if {@code length} is 0. */
    default int read(byte[] target, int offset, int length) throws IOException {
        return read(ByteBuffer.wrap(target, offset, length));
    }

    /** As {@link #read(byte[], int, int)} into a buffer with room. */
    int read(ByteBuffer target) throws IOException;

    /** Bytes that can be read without blocking. */
    int available();

    /** Whether the last byte has been read. */
    boolean isFinished();

    /** Whether a read would return or throw at once: it would find bytes, the end, or a failure. */
    boolean isReady();

    /** If a failure has ended the body early, throws this failure, as a read would. */
    default void check() throws IOException {}

    /** Runs {@code action} once, on any thread, as soon as {@link #isReady()} is true, which may be at once. The action must not block. */
    void whenReady(Runnable action);

    /** The trailer fields; empty until the end of the body has been read. */
    Fields trailers();

    /** Releases the read buffer, if no read is expected for a while. No byte is lost. Any thread, also during a read; does not wait. */
    default void dropBuffer() {}

    /** The file with the whole body if the body was too large for memory, else null. The file is closed with the exchange. */
    default @Nullable SpoolFile file() {
        return null;
    }
}

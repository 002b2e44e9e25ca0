package io.penstock.request;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.pipe.Segment;
import java.io.IOException;
import java.util.function.Supplier;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/**
 * The compressor of one response, and the segments that receive the compressed bytes. The compressor comes from the server's {@link
 * Compressors}, and is returned exactly once. The compressor is never returned while a thread uses it. If the response is aborted during a
 * use, the thread that uses the compressor returns it after the use.
 *
 * <p>Thread: the thread that writes the response takes the {@link GzipEncoder} and puts it back. Any thread may close the lease, without
 * waiting.
 *
 * <pre>
 *   IDLE ──take──▶ RUNNING ──put back──▶ IDLE ──close──▶ CLOSED
 *                     └──close──▶ CLOSING ──put back──▶ CLOSED
 * </pre>
 */
final class EncoderLease {
    private enum State {
        IDLE,
        /** A thread uses the compressor. */
        RUNNING,
        /** A thread uses the compressor, and must return the compressor after the use. */
        CLOSING,
        CLOSED
    }

    private final GzipEncoder encoder;

    /** Null once the compressor has been given back. */
    @GuardedBy("this")
    private @Nullable Runnable giveBack;

    @GuardedBy("this")
    private State state = State.IDLE;

    /** @param giveBack returns the compressor of {@code encoder}; runs once */
    EncoderLease(GzipEncoder encoder, Runnable giveBack) {
        this.encoder = encoder;
        this.giveBack = giveBack;
    }

    /** Acquires a compressor for one response. Returns null if all compressors are in use. */
    static @Nullable EncoderLease of(Compressors compressors, Supplier<Segment> segments) {
        Deflater acquired = compressors.acquire();
        return acquired == null
                ? null
                : new EncoderLease(new GzipEncoder(acquired, segments), () -> compressors.giveBack(acquired));
    }

    /** @throws IOException if the lease has been closed */
    synchronized GzipEncoder take() throws IOException {
        if (state != State.IDLE) {
            throw new IOException("The response has ended");
        }
        state = State.RUNNING;
        return encoder;
    }

    /**
     * Gives the compressor back. When the whole body is in the segments, the compressor is not needed, even if the client has not received
     * the segments yet.
     */
    synchronized void complete() {
        Runnable action = giveBack;
        giveBack = null;
        if (action != null) {
            action.run();
        }
    }

    synchronized void putBack() {
        if (state == State.CLOSING) {
            free();
        } else {
            state = State.IDLE;
        }
    }

    synchronized void close() {
        switch (state) {
            case IDLE -> free();
            case RUNNING -> state = State.CLOSING;
            case CLOSING, CLOSED -> {
                // The compressor has been given back, or the thread that uses it gives it back after the use.
            }
        }
    }

    @GuardedBy("this")
    private void free() {
        state = State.CLOSED;
        try {
            encoder.release();
        } finally {
            complete();
        }
    }
}

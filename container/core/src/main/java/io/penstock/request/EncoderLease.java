package io.penstock.request;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.pipe.Segment;
import java.io.IOException;
import java.util.function.Supplier;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/**
 * The compressor of one response, from the server's {@link Compressors}, and the segments that receive its output. The compressor
 * is returned exactly once, and never while a thread uses it. If the response is aborted during a use, the using thread returns it.
 *
 * <p>Thread: the writer takes it and puts it back; any thread closes it, without waiting.
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
        /** A thread uses the compressor, and gives it back afterwards. */
        CLOSING,
        CLOSED
    }

    private final GzipEncoder encoder;

    /** Null once the compressor has been given back. */
    @GuardedBy("this")
    private @Nullable Runnable giveBack;

    @GuardedBy("this")
    private State state = State.IDLE;

    /** @param giveBack gives the compressor of the encoder back; called once */
    EncoderLease(GzipEncoder encoder, Runnable giveBack) {
        this.encoder = encoder;
        this.giveBack = giveBack;
    }

    /** Null if all compressors are in use. */
    static @Nullable EncoderLease of(Compressors compressors, Supplier<Segment> segments) {
        Deflater acquired = compressors.acquire();
        return acquired == null
                ? null
                : new EncoderLease(new GzipEncoder(acquired, segments), () -> compressors.giveBack(acquired));
    }

    /** @throws IOException if it has been closed */
    synchronized GzipEncoder take() throws IOException {
        if (state != State.IDLE) {
            throw new IOException("The response has ended");
        }
        state = State.RUNNING;
        return encoder;
    }

    /** Gives the compressor back. If the whole body is in the segments, this need not wait for the client. */
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
                // The compressor has been given back, or the thread that uses it gives it back.
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

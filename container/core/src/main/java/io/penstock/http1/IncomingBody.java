package io.penstock.http1;

import io.penstock.exchange.PipeBody;
import io.penstock.exchange.RequestBody;
import io.penstock.http.BodyDecoder;
import io.penstock.http.Violation;
import io.penstock.limits.Key;
import io.penstock.pipe.RequestPipe;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The body of one request while it arrives: unframed here, on its way to the worker through the pipe.
 *
 * <p>Thread: the reactor, but for {@link #asBody} and {@link #discard}.
 */
final class IncomingBody {
    private final RequestPipe pipe;
    private final BodyDecoder decoder;
    private final long length;
    private final long limit;
    private final Expectation expectation;
    private long bytes;

    /** What became of the bytes that were offered. */
    enum Fed {
        /** All were taken; more must arrive. */
        STARVED,
        /** Some were taken; there may be more in the buffer. */
        TAKEN,
        /** The pipe takes no more at present. */
        FULL,
        /** The last byte of the body has been taken. */
        COMPLETE
    }

    /**
     * @param length declared length in bytes, or -1
     * @param limit largest acceptable body in bytes
     */
    IncomingBody(RequestPipe pipe, BodyDecoder decoder, long length, long limit, Expectation expectation) {
        this.pipe = pipe;
        this.decoder = decoder;
        this.length = length;
        this.limit = limit;
        this.expectation = expectation;
    }

    /** Takes the body's bytes out of the buffer, as far as the pipe has room; throws 400, 413, 431 or 503. */
    Fed feed(ByteBuffer in) throws Violation {
        int count = decoder.advance(in);
        if (count == BodyDecoder.END) {
            return Fed.COMPLETE;
        }
        if (count == 0) {
            return Fed.STARVED;
        }
        int start = in.position();
        int end = in.limit();
        RequestPipe.Offered offered = pipe.inlet().offer(in.limit(start + count));
        int taken = in.position() - start;
        in.limit(end);
        decoder.taken(taken);
        bytes += taken;
        expectation.meet(); // a client that sends has not waited
        if (bytes > limit) {
            throw new Violation(Key.BODY_LIMIT);
        }
        return switch (offered) {
            case ALL -> Fed.TAKEN;
            case FULL -> Fed.FULL;
            case OVER_BUDGET -> throw new Violation(Key.PIPE_BUDGET);
        };
    }

    Expectation expectation() {
        return expectation;
    }

    /** The last byte is in: the reader will come to an end. */
    void finish() {
        pipe.inlet().finish();
    }

    /** The body will not arrive whole: the reader gets the cause. */
    void fail(IOException cause) {
        expectation.meet();
        pipe.inlet().fail(cause);
    }

    /** The worker's end. */
    RequestBody asBody(PipeBody.FirstRead firstRead) {
        return new PipeBody(pipe.outlet(), length, decoder::trailers, firstRead);
    }

    /** Nobody will read any more. Any thread. */
    void discard() {
        pipe.outlet().close();
    }
}

package io.penstock.http2;

import io.penstock.http.BodyDecoder;
import io.penstock.http.Fields;
import io.penstock.http.Violation;
import java.nio.ByteBuffer;

/**
 * The end of a request's body in HTTP/2: DATA frames have no framing of their own within the body, which ends with the stream (RFC 9113
 * section 8.1).
 *
 * <p>Thread: the connection's reactor. {@link #trailers}: also the thread that reads the body, after its end.
 */
final class StreamDecoder implements BodyDecoder {
    private final long length;
    private long taken;
    private boolean ended;
    private volatile Fields trailers = Fields.EMPTY;

    /** @param length the length that the head has declared; -1 if it has declared none */
    StreamDecoder(long length) {
        this.length = length;
    }

    /** The client has ended the stream. */
    void end(Fields fields) {
        trailers = fields;
        ended = true;
    }

    /** Whether the body had as many bytes as its head has declared, once it has ended (RFC 9113 section 8.1.1). */
    boolean isWhole() {
        return length < 0 || taken == length;
    }

    /** Whether {@code count} more bytes would be more than the head has declared. */
    boolean isTooLong(int count) {
        return length >= 0 && taken + count > length;
    }

    @Override
    public int advance(ByteBuffer in) throws Violation {
        return in.hasRemaining() || !ended ? in.remaining() : END;
    }

    @Override
    public long expected() {
        return length < 0 ? 0 : length - taken;
    }

    @Override
    public void taken(int count) {
        taken += count;
    }

    @Override
    public Fields trailers() {
        return trailers;
    }
}

package io.penstock.http;

import java.nio.ByteBuffer;

/** Separates a body's content from its framing. Thread: the connection's reactor. */
public interface BodyDecoder {

    /** The body is complete. */
    int END = -1;

    /**
     * Consumes framing up to the next body bytes.
     *
     * @return how many body bytes follow at the buffer's position; 0 if more must arrive; or {@link #END}
     * @throws Violation 400 or 431; the following bytes must not be parsed as a request
     */
    int advance(ByteBuffer in) throws Violation;

    /** How many bytes come next that are certain to be the body's own: the rest of its length, or of the chunk. */
    long expected();

    /** The caller has taken {@code count} of the bytes that {@link #advance} found out of the buffer. */
    void taken(int count);

    /** The trailer fields, once the body is complete. */
    Fields trailers();

    /** The decoder of a body of known length. */
    static BodyDecoder fixed(long length) {
        return new FixedLengthDecoder(length);
    }
}

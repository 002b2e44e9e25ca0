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

    /** How many of the next bytes certainly belong to the body: the rest of its length, or of the chunk. */
    long expected();

    /** Reports that the caller has taken {@code count} body bytes out of the buffer. {@link #advance} had found these bytes. */
    void taken(int count);

    /** The trailer fields, once the body is complete. */
    Fields trailers();

    /** The decoder of a body of known length. */
    static BodyDecoder fixed(long length) {
        return new FixedLengthDecoder(length);
    }
}

package io.penstock.http;

import java.nio.ByteBuffer;

/** Separates a body's content from its framing. Thread: the connection's reactor. */
public interface BodyDecoder {

    /** The body is complete. */
    int END = -1;

    /**
     * Consumes framing up to the next body bytes.
     *
     * @return the number of body bytes that follow at the buffer's position; 0 if more bytes must arrive; {@link #END} if the body is
     *     complete
     * @throws Violation 400 or 431; the following bytes must not be parsed as a request
     */
    int advance(ByteBuffer in) throws Violation;

    /** How many of the next bytes certainly belong to the body. These are the remaining bytes of the body, or of the current chunk. */
    long expected();

    /**
     * Reports that the caller has taken {@code count} body bytes. {@link #advance} or {@link #expected} must have reported these bytes
     * before.
     */
    void taken(int count);

    /** The trailer fields. They are empty until the body is complete. */
    Fields trailers();

    /**
     * How many bytes of memory the chunk extensions and the trailer section take. They are 0 if the decoder has no more memory than each
     * decoder has.
     */
    default int held() {
        return 0;
    }

    /** Makes the decoder for a body of known length. */
    static BodyDecoder fixed(long length) {
        return new FixedLengthDecoder(length);
    }
}

package io.penstock.http;

import java.nio.ByteBuffer;

/** Finds the body's own bytes among those that arrive. Thread: the connection's reactor. */
public interface BodyDecoder {

    /** The body is complete. */
    int END = -1;

    /**
     * Consumes framing up to the next body bytes.
     *
     * @return how many body bytes stand at the buffer's position; 0 if more must arrive; {@link #END}
     * @throws Violation 400 or 431; nothing that follows may be read as a request
     */
    int advance(ByteBuffer in) throws Violation;

    /** So many of the bytes that {@link #advance} found have been taken out of the buffer. */
    void taken(int count);

    /** The trailer fields, once the body is complete. */
    Fields trailers();

    /** A body whose length was given. */
    static BodyDecoder fixed(long length) {
        return new FixedLengthDecoder(length);
    }
}

package io.penstock.http;

import java.nio.ByteBuffer;

/** Decodes a body of known length (RFC 9112 section 6.2). */
final class FixedLengthDecoder implements BodyDecoder {
    private long remaining;

    FixedLengthDecoder(long length) {
        this.remaining = length;
    }

    @Override
    public int advance(ByteBuffer in) {
        return remaining == 0 ? END : (int) Math.min(remaining, in.remaining());
    }

    @Override
    public long expected() {
        return remaining;
    }

    @Override
    public void taken(int count) {
        remaining -= count;
    }

    @Override
    public Fields trailers() {
        return Fields.EMPTY;
    }
}

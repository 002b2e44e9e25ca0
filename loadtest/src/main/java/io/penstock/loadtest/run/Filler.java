package io.penstock.loadtest.run;

import io.penstock.loadtest.client.Body;
import java.nio.ByteBuffer;

/** Supplies a body that consists of zero bytes. Thread: the thread of the {@code ClientLoop}. */
final class Filler implements Body.Source {
    private static final byte[] PIECE = new byte[16 << 10];

    private long remaining;

    Filler(long length) {
        remaining = length;
    }

    @Override
    public boolean read(ByteBuffer into) {
        while (remaining > 0 && into.hasRemaining()) {
            int n = (int) Math.min(remaining, Math.min(PIECE.length, into.remaining()));
            into.put(PIECE, 0, n);
            remaining -= n;
        }
        return remaining > 0;
    }
}

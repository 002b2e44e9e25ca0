package io.penstock.loadtest.client;

import java.nio.ByteBuffer;

/** A source that supplies the bytes of an array. Thread: one thread at a time. */
final class ArraySource implements Body.Source {
    private final byte[] bytes;
    private int sent;

    ArraySource(byte[] bytes) {
        this.bytes = bytes;
    }

    @Override
    public boolean read(ByteBuffer into) {
        int n = Math.min(into.remaining(), bytes.length - sent);
        into.put(bytes, sent, n);
        sent += n;
        return sent < bytes.length;
    }
}

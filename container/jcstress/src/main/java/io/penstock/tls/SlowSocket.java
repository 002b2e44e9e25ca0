package io.penstock.tls;

import io.penstock.reactor.WritingLink;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A socket link for tests that takes a few bytes per write and records these bytes in order. The end of the output is recorded as a dot.
 */
final class SlowSocket extends WritingLink {
    private static final int MAX = 3;

    private final StringBuilder taken = new StringBuilder();

    @Override
    public synchronized long write(ByteBuffer[] sources, int offset, int length) {
        byte[] bytes = new byte[Math.min(MAX, sources[offset].remaining())];
        sources[offset].get(bytes);
        taken.append(new String(bytes, StandardCharsets.ISO_8859_1));
        return bytes.length;
    }

    @Override
    public synchronized void shutdownOutput() {
        taken.append('.');
    }

    synchronized String taken() {
        return taken.toString();
    }

    @Override
    public void signal(int bit) {
        throw new UnsupportedOperationException();
    }
}

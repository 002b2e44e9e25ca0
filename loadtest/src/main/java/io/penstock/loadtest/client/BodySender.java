package io.penstock.loadtest.client;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Divides the body of a request into pieces. If the length of the body is not known, the pieces are chunks (RFC 9112, section 7.1). One
 * object serves all requests of a connection, one after the other.
 *
 * <p>Thread: the thread of the {@link ClientLoop}. Owns: the buffer that contains each piece until the piece is sent.
 */
final class BodySender {
    private static final int PIECE = 16 << 10;
    // The line before a chunk: four hexadecimal digits for the length of the chunk, and the line end. Leading zeros are
    // allowed.
    private static final int SIZE_LINE = 6;
    private static final byte[] LINE_END = {'\r', '\n'};
    private static final byte[] LAST_CHUNK = "0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] DIGITS = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final ByteBuffer buffer =
            ByteBuffer.allocateDirect(SIZE_LINE + PIECE + LINE_END.length + LAST_CHUNK.length);
    private Body.@Nullable Source source;
    private long remaining;

    void start(Body body) {
        remaining = body.length();
        source = remaining == 0 ? null : body.open();
    }

    /** Whether there are more bytes to send. */
    boolean isBusy() {
        return source != null;
    }

    /** Returns the next piece. The previous piece must have been sent. */
    ByteBuffer next() throws IOException {
        Body.Source from = source;
        if (from == null) {
            throw new IllegalStateException("There is no body to be sent");
        }
        return remaining == Body.CHUNKED ? nextChunk(from) : nextOfCounted(from);
    }

    private ByteBuffer nextOfCounted(Body.Source from) throws IOException {
        buffer.clear().limit((int) Math.min(PIECE, remaining));
        boolean more = from.read(buffer);
        int n = buffer.position();
        remaining -= n;
        if (remaining > 0 && (n == 0 || !more)) {
            throw new IOException("The body has " + remaining + " bytes less than its declared length");
        }
        source = remaining > 0 ? from : null;
        return buffer.flip();
    }

    private ByteBuffer nextChunk(Body.Source from) throws IOException {
        buffer.clear().limit(SIZE_LINE + PIECE).position(SIZE_LINE);
        boolean more = from.read(buffer);
        int n = buffer.position() - SIZE_LINE;
        if (n == 0 && more) {
            throw new IOException("The body has returned no bytes, but is not at its end");
        }
        buffer.limit(buffer.capacity());
        if (n > 0) {
            buffer.put(LINE_END);
            putSize(n);
        }
        if (!more) {
            buffer.put(LAST_CHUNK);
            source = null;
        }
        return buffer.flip().position(n > 0 ? 0 : SIZE_LINE);
    }

    private void putSize(int n) {
        for (int i = 0; i < SIZE_LINE - LINE_END.length; i++) {
            int shift = 4 * (SIZE_LINE - LINE_END.length - 1 - i);
            buffer.put(i, DIGITS[(n >> shift) & 0xf]);
        }
        buffer.put(SIZE_LINE - LINE_END.length, LINE_END);
    }
}

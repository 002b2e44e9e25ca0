package io.penstock.http;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Collects CRLF-terminated lines from whatever pieces they arrive in, back to back in one array.
 *
 * <p>What it took beyond the last line is given back by {@link #giveBack}: between two calls with different buffers everything it
 * holds has been scanned, so the surplus is always the end of the present buffer.
 */
final class LineReader {
    private static final int FIRST_SIZE = 256;
    private static final int STEP = 2048;

    private static final byte[] NONE = new byte[0];

    private byte[] bytes;
    private int length;
    private int scanned;
    private int lineStart;
    private int lineEnd;

    LineReader() {
        this.bytes = NONE;
    }

    /**
     * Goes on to the next line.
     *
     * @return whether one is complete; it stands between {@link #lineStart} and {@link #lineEnd}, without its CRLF
     * @throws Violation 400 if a line ends with a bare LF
     */
    boolean nextLine(ByteBuffer in) throws Violation {
        while (true) {
            byte[] array = bytes;
            for (int i = scanned, end = length; i < end; i++) {
                if (array[i] == '\n') {
                    if (i == lineStart || array[i - 1] != '\r') {
                        throw new Violation(400, "line ends with LF alone");
                    }
                    lineEnd = i - 1;
                    scanned = i + 1;
                    return true;
                }
            }
            scanned = length;
            if (!in.hasRemaining()) {
                return false;
            }
            take(in);
        }
    }

    /** The line that {@link #nextLine} found is done with; the next one begins behind it. */
    void advance() {
        lineStart = scanned;
    }

    /** Hands what was taken beyond the last line back to the buffer it came from. */
    void giveBack(ByteBuffer in) {
        in.position(in.position() - (length - scanned));
        length = scanned;
    }

    /** Forgets everything; the array stays with whoever holds it. */
    void reset() {
        bytes = NONE;
        length = 0;
        scanned = 0;
        lineStart = 0;
        lineEnd = 0;
    }

    /** Forgets everything but the array. */
    void rewind() {
        length = 0;
        scanned = 0;
        lineStart = 0;
        lineEnd = 0;
    }

    byte[] bytes() {
        return bytes;
    }

    int lineStart() {
        return lineStart;
    }

    int lineEnd() {
        return lineEnd;
    }

    /** Bytes of memory that it holds. */
    int held() {
        return bytes.length;
    }

    /** Bytes of the unfinished line so far. */
    int pending() {
        return scanned - lineStart;
    }

    private void take(ByteBuffer in) {
        int count = Math.min(in.remaining(), STEP);
        if (length + count > bytes.length) {
            int least = bytes.length == 0 ? (count == in.remaining() ? count : FIRST_SIZE) : bytes.length * 2;
            bytes = Arrays.copyOf(bytes, Math.max(length + count, least));
        }
        in.get(bytes, length, count);
        length += count;
    }
}

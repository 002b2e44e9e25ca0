package io.penstock.http;

import io.penstock.memory.HeapSize;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Collects lines that end with CRLF. A line may arrive in pieces. The lines are stored one after the other in one array. Each complete line
 * is passed to {@link #line}.
 *
 * <p>The bytes behind the last line are given back to the buffer. All bytes of a buffer are scanned before the next buffer is read. So
 * these bytes are always at the end of the current buffer.
 */
abstract class LineReader {
    private static final byte[] NONE = new byte[0];

    private final int firstSize;
    private final int step;

    private byte[] bytes = NONE;
    private int length;
    private int scanned;
    private int lineStart;

    /**
     * @param firstSize the size of the array for lines that arrive in pieces
     * @param step the largest number of bytes that are copied into the array before they are scanned
     */
    LineReader(int firstSize, int step) {
        this.firstSize = firstSize;
        this.step = step;
    }

    /**
     * Takes a complete line between two offsets, without its CRLF. The offsets stay valid. If the array grows, later lines are passed with
     * a larger array, in which the earlier lines have the same offsets.
     *
     * @return whether this is the last line
     */
    protected abstract boolean line(byte[] in, int start, int end) throws Violation;

    /**
     * Reads lines, beginning where the call before stopped.
     *
     * @return whether the last line has been read. If so, the buffer's position is directly behind this line
     * @throws Violation 400 if a line ends with a bare LF; also the violations of {@link #line}
     */
    boolean read(ByteBuffer in) throws Violation {
        boolean last = false;
        while (!last && scanLine(in)) {
            last = line(bytes, lineStart, scanned - 2);
            lineStart = scanned;
        }
        if (last) {
            in.position(in.position() - (length - scanned));
            length = scanned;
        }
        return last;
    }

    /** Scans up to the next LF. Returns whether an LF has been found. */
    private boolean scanLine(ByteBuffer in) throws Violation {
        while (true) {
            byte[] array = bytes;
            for (int i = scanned, end = length; i < end; i++) {
                if (array[i] == '\n') {
                    if (i == lineStart || array[i - 1] != '\r') {
                        throw new Violation(400, "line ends with LF alone");
                    }
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

    private void take(ByteBuffer in) {
        int count = Math.min(in.remaining(), step);
        if (length + count > bytes.length) {
            int least = bytes.length == 0 ? (count == in.remaining() ? count : firstSize) : bytes.length * 2;
            bytes = Arrays.copyOf(bytes, Math.max(length + count, least));
        }
        in.get(bytes, length, count);
        length += count;
    }

    /**
     * Resets the reader and gives its array to the caller. If most of the array is unused, for example because it has also got pipelined
     * requests, the caller gets a smaller copy.
     */
    byte[] handOver() {
        byte[] former = bytes.length > 2 * length ? Arrays.copyOf(bytes, length) : bytes;
        bytes = NONE;
        rewind();
        return former;
    }

    /** Resets the reader, but keeps the array. */
    void rewind() {
        length = 0;
        scanned = 0;
        lineStart = 0;
    }

    byte[] bytes() {
        return bytes;
    }

    /** The offset at which the unfinished line begins. */
    int lineStart() {
        return lineStart;
    }

    /** The memory of the array. */
    int held() {
        return HeapSize.array(bytes.length);
    }

    /** The number of bytes of all lines so far, including the unfinished line. */
    int length() {
        return length;
    }

    /** The number of bytes of the unfinished line so far. */
    int pending() {
        return length - lineStart;
    }
}

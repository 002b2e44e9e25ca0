package io.penstock.request;

import io.penstock.exchange.ResponseSink;
import io.penstock.pipe.Segment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a response body before they are handed over to the sink, in order. The bytes are in segments, which are buffers of the
 * server.
 *
 * <p>Thread: the thread that holds the write lock of {@link ResponseBuffer}. Owns: the segments, until {@link #poll} hands them to the
 * caller or {@link #release} releases them.
 */
final class HeldSegments {
    private final ResponseSink sink;

    // The last segment, and the full segments before it. Most responses fit into one segment, so most responses need no
    // queue.
    private @Nullable Segment last;
    private @Nullable ArrayDeque<Segment> full;
    private int bytes;

    HeldSegments(ResponseSink sink) {
        this.sink = sink;
    }

    boolean isEmpty() {
        return last == null;
    }

    int bytes() {
        return bytes;
    }

    /**
     * Takes as many bytes as fit into the last segment, and returns their number. The number is 0 if {@code capacity} bytes are held
     * already and the sink does not allow more.
     */
    int put(byte[] source, int offset, int length, int capacity) {
        ByteBuffer room = room(capacity);
        int count = Math.min(length, room.remaining());
        room.put(source, offset, count);
        bytes += count;
        return count;
    }

    /** Like {@link #put(byte[], int, int, int)}. Also moves the position of {@code source} by the number of bytes that were taken. */
    int put(ByteBuffer source, int capacity) {
        ByteBuffer room = room(capacity);
        int count = Math.min(source.remaining(), room.remaining());
        room.put(source.slice(source.position(), count));
        source.position(source.position() + count);
        bytes += count;
        return count;
    }

    /** Takes one byte. Returns false if no more bytes may be held. */
    boolean put(byte b, int capacity) {
        ByteBuffer room = room(capacity);
        if (!room.hasRemaining()) {
            return false;
        }
        room.put(b);
        bytes++;
        return true;
    }

    /** Whether {@code more} bytes may be held in addition to the present bytes. */
    boolean fits(int more, int capacity) {
        long all = (long) bytes + more;
        return all <= capacity || all <= sink.mayHold();
    }

    /**
     * Returns the buffer of the last segment if this buffer has room, otherwise a new buffer. If no more bytes may be held, the returned
     * buffer has no room.
     */
    private ByteBuffer room(int capacity) {
        Segment former = last;
        if (former != null) {
            ByteBuffer buffer = former.buffer();
            if (buffer.hasRemaining() || !fits(1, capacity)) {
                return buffer;
            }
        }
        Segment fresh = sink.segment();
        if (former != null) {
            full().addLast(former);
        }
        last = fresh;
        return fresh.buffer().clear();
    }

    private ArrayDeque<Segment> full() {
        if (full == null) {
            full = new ArrayDeque<>();
        }
        return full;
    }

    /** Removes and returns the first segment, ready to be read; null if there is none. From then on the caller owns the segment. */
    @Nullable
    Segment poll() {
        Segment first = pollAny();
        if (first != null) {
            bytes -= first.buffer().flip().remaining();
        }
        return first;
    }

    private @Nullable Segment pollAny() {
        Segment first = full == null ? null : full.pollFirst();
        if (first == null) {
            first = last;
            last = null;
        }
        return first;
    }

    void release() {
        for (Segment segment = pollAny(); segment != null; segment = pollAny()) {
            segment.release();
        }
        bytes = 0;
    }
}

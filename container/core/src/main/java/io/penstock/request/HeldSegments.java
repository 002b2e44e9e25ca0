package io.penstock.request;

import io.penstock.exchange.ResponseSink;
import io.penstock.pipe.Segment;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Body bytes in the server's own buffers, in order, before they are handed over.
 *
 * <p>Thread: the holder of the write lock of {@link ResponseBuffer}. Owns the segments until {@link #poll} gives them away; {@link #release}
 * gives the rest back.
 */
final class HeldSegments {
    private final ResponseSink sink;
    private final ArrayDeque<Segment> segments = new ArrayDeque<>(1);
    private int bytes;

    HeldSegments(ResponseSink sink) {
        this.sink = sink;
    }

    boolean isEmpty() {
        return segments.isEmpty();
    }

    int bytes() {
        return bytes;
    }

    /** The last segment if it has room, else a fresh one; null if {@code capacity} bytes are held already. */
    @Nullable
    Segment roomy(int capacity) {
        Segment tail = segments.peekLast();
        if (tail != null && tail.buffer().hasRemaining()) {
            return tail;
        }
        if (bytes >= capacity) {
            return null;
        }
        Segment fresh = sink.segment();
        fresh.buffer().clear();
        segments.addLast(fresh);
        return fresh;
    }

    /** So many bytes were put into the {@link #roomy} segment. */
    void added(int count) {
        bytes += count;
    }

    /** The first segment, ready to be read, and the caller's from here on; null if there is none. */
    @Nullable
    Segment poll() {
        Segment first = segments.pollFirst();
        if (first != null) {
            bytes -= first.buffer().position();
            first.buffer().flip();
        }
        return first;
    }

    void release() {
        for (Segment segment = segments.pollFirst(); segment != null; segment = segments.pollFirst()) {
            segment.release();
        }
        bytes = 0;
    }
}

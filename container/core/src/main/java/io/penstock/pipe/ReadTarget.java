package io.penstock.pipe;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The buffers of one read into a pipe: the free end of its last segment, then fresh segments.
 *
 * <p>Thread: the holder of the pipe's lock. Owns the fresh segments until {@link #read} gives them to the pipe, or back to the pool.
 */
final class ReadTarget {
    private static final int MOST = 16;

    private final ArrayDeque<Segment> segments;
    private final ByteBuffer[] buffers = new ByteBuffer[MOST];
    private final ArrayDeque<Segment> fresh = new ArrayDeque<>(MOST);
    private int count;
    private int room;

    // Begin and end of the unread bytes in the pipe's last segment, if that segment has room.
    private int tailBegins;
    private int tailEnds = -1;

    private int taken;

    /**
     * @param segments of the pipe
     * @param most bytes to be read; fewer if the pool has no memory for them
     */
    ReadTarget(ArrayDeque<Segment> segments, SegmentPool pool, int most) {
        this.segments = segments;
        Segment last = segments.peekLast();
        if (last != null && last.buffer().limit() < last.buffer().capacity()) {
            addTail(last.buffer(), most);
        }
        for (Segment next = next(pool, most); next != null; next = next(pool, most)) {
            fresh.addLast(next);
            ByteBuffer buffer = next.buffer();
            add(buffer.limit(Math.min(buffer.capacity(), most - room)));
        }
    }

    private @Nullable Segment next(SegmentPool pool, int most) {
        return room < most && count < MOST ? pool.tryAcquire() : null;
    }

    private void addTail(ByteBuffer tail, int most) {
        tailBegins = tail.position();
        tailEnds = tail.limit();
        add(tail.limit(Math.min(tail.capacity(), tailEnds + most)).position(tailEnds));
    }

    private void add(ByteBuffer buffer) {
        buffers[count++] = buffer;
        room += buffer.remaining();
    }

    /** Bytes that a read may take. */
    int room() {
        return room;
    }

    /** Reads once. Returns as {@link PipeSource#read(ByteBuffer)}. */
    int read(PipeSource source) throws IOException {
        try {
            return (int) source.read(buffers, count);
        } finally {
            giveToPipe();
        }
    }

    private void giveToPipe() {
        if (tailEnds >= 0) {
            ByteBuffer tail = buffers[0];
            taken = tail.position() - tailEnds;
            tail.limit(tail.position()).position(tailBegins);
        }
        for (Segment segment : fresh) {
            int count = segment.buffer().flip().remaining();
            taken += count;
            if (count > 0) {
                segments.addLast(segment);
            } else {
                segment.release();
            }
        }
    }

    /** Bytes that the read has added to the pipe, even if it has thrown. */
    int taken() {
        return taken;
    }
}

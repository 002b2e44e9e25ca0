package io.penstock.pipe;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The buffers for one read into a {@link RequestPipe}. The first buffer is the free end of the pipe's last segment. The other buffers are
 * new segments.
 *
 * <p>Thread: the holder of the pipe's lock. This object owns the new segments until {@link #read} gives them to the pipe or to the pool.
 */
final class ReadTarget {
    private static final int MAX = 16;

    private final ArrayDeque<Segment> segments;
    private final ByteBuffer[] buffers = new ByteBuffer[MAX];
    private final ArrayDeque<Segment> fresh = new ArrayDeque<>(MAX);
    private int count;
    private int room;

    // The beginning and the end of the unread bytes in the pipe's last segment. tailEnds is -1 if the last segment has
    // no room.
    private int tailBegins;
    private int tailEnds = -1;

    private int taken;

    /**
     * @param segments the segments of the pipe
     * @param most the maximum number of bytes to read. The buffers have less room if the pool has too little memory
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
        return room < most && count < MAX ? pool.tryAcquire() : null;
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

    /** The number of bytes that a read can take. */
    int room() {
        return room;
    }

    /** Calls the source once, and returns the result of {@link PipeSource#read(ByteBuffer[], int)}. */
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

    /**
     * The number of bytes that {@link #read} has added to the pipe. This number is correct even if {@link #read} has thrown an exception.
     */
    int taken() {
        return taken;
    }
}

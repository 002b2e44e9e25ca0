package io.penstock.http2;

import io.penstock.pipe.Segment;
import io.penstock.pipe.SegmentPool;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Whole frames that are sent together, in segments of the pool.
 *
 * <p>Thread: the holder of the connection's token. Owns: the segments.
 */
final class JoinedFrames {
    /** For larger frames a write of their own costs less than a copy. */
    private static final int MAX_SEGMENTS = 4;

    private final SegmentPool pool;
    private final List<Segment> segments = new ArrayList<>(1);

    // The unsent bytes, and how many bytes before them have been sent.
    private int size;
    private int sent;

    JoinedFrames(SegmentPool pool) {
        this.pool = pool;
    }

    /** The number of unsent bytes. */
    int size() {
        return size;
    }

    /** Whether some of the bytes have been sent. The others must be sent before any other byte. */
    boolean hasBegun() {
        return sent > 0;
    }

    /**
     * @param bytes the length of the frames
     * @param several whether they may lie in several segments
     */
    boolean hasRoomFor(int bytes, boolean several) {
        int room = segments.isEmpty() ? 0 : last().buffer().remaining();
        // They stay in memory if the socket is full.
        int more = several && pool.isPlentiful() ? MAX_SEGMENTS - segments.size() : segments.isEmpty() ? 1 : 0;
        return bytes <= room + more * pool.segmentSize();
    }

    private Segment last() {
        return segments.get(segments.size() - 1);
    }

    void put(byte[] bytes) {
        put(ByteBuffer.wrap(bytes), bytes.length);
    }

    /** Adds the next {@code count} bytes of the source. */
    void put(ByteBuffer source, int count) {
        for (int left = count; left > 0; ) {
            if (segments.isEmpty() || !last().buffer().hasRemaining()) {
                segments.add(pool.acquireForOutput());
            }
            ByteBuffer to = last().buffer();
            int step = Math.min(left, to.remaining());
            to.put(to.position(), source, source.position(), step).position(to.position() + step);
            source.position(source.position() + step);
            left -= step;
        }
        size += count;
    }

    /** Puts the unsent bytes into an array. Returns the index behind them. */
    int gather(ByteBuffer[] into) {
        int skipped = sent;
        int count = 0;
        for (Segment segment : segments) {
            ByteBuffer part = segment.buffer().duplicate().flip();
            int step = Math.min(skipped, part.remaining());
            skipped -= step;
            if (step < part.remaining()) {
                into[count++] = part.position(step);
            }
        }
        return count;
    }

    /** The most buffers of {@link #gather}. */
    int buffers() {
        return segments.size();
    }

    /** The link has taken so many of the bytes. */
    void sent(int count) {
        sent += count;
        size -= count;
    }

    void release() {
        segments.forEach(Segment::release);
        segments.clear();
    }
}

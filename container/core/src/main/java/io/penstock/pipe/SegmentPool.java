package io.penstock.pipe;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * All buffers of the server, under one byte budget. The last tenth of the budget is reserved for what lets memory become
 * free again: answers on their way out.
 *
 * <p>Thread: any. No call waits. Owns the free segments; what is handed out belongs to whoever holds it. Where assertions are
 * enabled a released segment is overwritten, so that a use after release shows.
 */
public final class SegmentPool {
    private static final byte POISON = (byte) 0xDB;

    private final Object lock = new Object();
    private final int segmentSize;
    private final int segments;
    private final int reserved;

    @GuardedBy("lock")
    private final ArrayDeque<PooledSegment> free = new ArrayDeque<>();

    @GuardedBy("lock")
    private int taken;

    /**
     * @param segmentSize bytes of one segment
     * @param budget bytes of all segments together
     */
    public SegmentPool(int segmentSize, long budget) {
        this.segmentSize = segmentSize;
        this.segments = (int) Math.min(Integer.MAX_VALUE, Math.max(2, budget / segmentSize));
        this.reserved = Math.max(1, segments / 10);
    }

    public int segmentSize() {
        return segmentSize;
    }

    /** Bytes handed out at this moment. */
    public long inUse() {
        synchronized (lock) {
            return (long) taken * segmentSize;
        }
    }

    /** An empty segment for bytes that come in; null if the budget, less its reserve, is used up. */
    public @Nullable Segment tryAcquire() {
        return take(segments - reserved);
    }

    /** An empty segment for bytes that go out. Past the whole budget it is a heap buffer that the pool does not keep. */
    public Segment acquireForOutput() {
        Segment segment = take(segments);
        return segment != null ? segment : new PooledSegment(null, ByteBuffer.allocate(segmentSize));
    }

    private @Nullable Segment take(int most) {
        PooledSegment segment;
        synchronized (lock) {
            if (taken >= most) {
                return null;
            }
            taken++;
            segment = free.pollLast();
        }
        if (segment == null) {
            return new PooledSegment(this, ByteBuffer.allocateDirect(segmentSize));
        }
        segment.reopen();
        return segment;
    }

    private void takeBack(PooledSegment segment) {
        synchronized (lock) {
            taken--;
            free.addLast(segment);
        }
    }

    private static final class PooledSegment implements Segment {
        private static final AtomicIntegerFieldUpdater<PooledSegment> RELEASED =
                AtomicIntegerFieldUpdater.newUpdater(PooledSegment.class, "released");

        private final @Nullable SegmentPool pool;
        private final ByteBuffer buffer;
        private volatile int released;

        PooledSegment(@Nullable SegmentPool pool, ByteBuffer buffer) {
            this.pool = pool;
            this.buffer = buffer;
        }

        @Override
        public ByteBuffer buffer() {
            assert released == 0 : "segment used after its release";
            return buffer;
        }

        @Override
        public void release() {
            if (!RELEASED.compareAndSet(this, 0, 1)) {
                throw new IllegalStateException("segment released twice");
            }
            assert poisoned();
            if (pool != null) {
                pool.takeBack(this);
            }
        }

        void reopen() {
            buffer.clear();
            released = 0;
        }

        private boolean poisoned() {
            buffer.clear();
            while (buffer.hasRemaining()) {
                buffer.put(POISON);
            }
            return true;
        }
    }
}

package io.penstock.pipe;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pool of the server's buffers (segments), with one memory budget. The last tenth of the budget is reserved for uses that help to free
 * memory. These uses are responses, and received bytes for which a pipe has no room.
 *
 * <p>The pool also has small segments, because slow clients send only a few bytes at a time. Without small segments, thousands of
 * unfinished bodies would each use a whole segment. In a large budget, a quarter is reserved for small segments.
 *
 * <p>Thread: any. No method blocks. The pool owns the free segments; a used segment belongs to its holder. If Java assertions are enabled,
 * a released segment is overwritten. A use after the release is then easy to detect.
 */
public final class SegmentPool {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentPool.class);
    private static final byte POISON = (byte) 0xDB;
    private static final int SMALL = 1024;

    /**
     * A pipe may grow to one fourth of the memory that is free for growth. So the growth of pipes never uses up this memory. The less
     * memory is free, the smaller is the allowed size of each pipe. The largest pipes are the first that must write to disk.
     */
    private static final int SHARE = 4;

    private static final int PLENTY = 16;

    /** A smaller budget has no small segments, because it needs all its memory for large segments. */
    private static final long LARGE_BUDGET = 1 << 20;

    private final Shelf whole;
    private final Shelf small;
    private final int reserved;
    private final int half;

    // The number of segments that pipes cannot use for growth. More than half of the segments stay free for other uses.
    // So growth alone never forces responses to disk (see hasRoomForOutput).
    private final int beyondGrowth;
    private final ClientWaits waits = new ClientWaits();

    /**
     * @param segmentSize the size of one segment in bytes
     * @param budget the total size of all segments in bytes
     */
    public SegmentPool(int segmentSize, long budget) {
        this(segmentSize, budget, ByteBuffer::allocateDirect);
    }

    /** @param allocator makes a buffer with the given number of bytes, or throws {@link OutOfMemoryError} */
    SegmentPool(int segmentSize, long budget, IntFunction<ByteBuffer> allocator) {
        long forSmall = budget >= LARGE_BUDGET && segmentSize >= 4 * SMALL ? budget / 4 : 0;
        small = new Shelf(SMALL, (int) Math.min(Integer.MAX_VALUE, forSmall / SMALL), allocator);
        int segments = (int) Math.min(Integer.MAX_VALUE, Math.max(2, (budget - forSmall) / segmentSize));
        whole = new Shelf(segmentSize, segments, allocator);
        reserved = Math.max(1, segments / 10);
        half = segments - segments / 2;
        beyondGrowth = half + segments / 8;
    }

    public int segmentSize() {
        return whole.size;
    }

    /** The threads that wait in the pipes of this pool. */
    public ClientWaits waits() {
        return waits;
    }

    /** The number of bytes in used segments. */
    public long inUse() {
        return whole.inUse() + small.inUse();
    }

    /** The maximum number of bytes in used segments. */
    public long budget() {
        return whole.budget() + small.budget();
    }

    /** Returns an empty segment for incoming bytes; null if only the reserved tenth of the budget is free. */
    public @Nullable Segment tryAcquire() {
        return whole.take(reserved);
    }

    /**
     * Returns an empty segment for {@code bytes} incoming bytes. If the bytes fit into a small segment, a small segment is preferred.
     * Returns null if no small segment can be used and {@link #tryAcquire()} returns null.
     */
    public @Nullable Segment tryAcquire(int bytes) {
        Segment segment = bytes <= SMALL ? small.take(0) : null;
        return segment != null ? segment : tryAcquire();
    }

    /** Returns an empty segment, if necessary from the reserved tenth of the budget; null if the whole budget is used up. */
    public @Nullable Segment tryAcquireReserved() {
        return whole.take(0);
    }

    /**
     * Returns an empty segment for outgoing bytes. If the whole budget is used up, the segment is a new heap buffer, which does not return
     * to the pool.
     */
    public Segment acquireForOutput() {
        Segment segment = tryAcquireReserved();
        return segment != null ? segment : new PooledSegment(null, ByteBuffer.allocate(whole.size));
    }

    /** Returns a segment with these bytes, outside of the pool and its budget. */
    public static Segment segment(byte[] bytes) {
        return new PooledSegment(null, ByteBuffer.wrap(bytes));
    }

    /** Returns a segment with these bytes, which other segments may share and nobody changes. */
    public static Segment shared(byte[] bytes) {
        return new PooledSegment(null, ByteBuffer.wrap(bytes).asReadOnlyBuffer());
    }

    /** Whether {@link #tryAcquire()} would return a segment now. */
    public boolean hasRoom() {
        return room() > 0;
    }

    /** Whether {@link #tryAcquireReserved()} would return null now. */
    public boolean isUsedUp() {
        return whole.room(0) == 0;
    }

    /** The number of segments that {@link #tryAcquire()} can return now. */
    public int room() {
        return whole.room(reserved);
    }

    /**
     * Whether outgoing bytes may stay in memory. When half of the budget is in use, outgoing bytes are written to disk, because incoming
     * bytes need the remaining memory.
     */
    public boolean hasRoomForOutput() {
        return whole.room(half) > 0;
    }

    /**
     * The number of bytes that a pipe with these bounds, or the writer of such a pipe, may hold now. The growth of all pipes together uses
     * at most three eighths of the budget.
     */
    int limit(PipeBounds bounds) {
        return bounds.grows() ? (int) Math.max(bounds.assured(), Math.min(bounds.most(), growth())) : bounds.most();
    }

    /** Whether many segments are free. If so, a reader that needs a few segments a moment later will very probably get them. */
    public boolean isPlentiful() {
        return growth() >= PLENTY * (long) whole.size;
    }

    /** The number of bytes to which a pipe may grow now. The bounds of the pipe can set a smaller limit. */
    private long growth() {
        return (long) whole.room(beyondGrowth) * whole.size / SHARE;
    }

    /**
     * Runs {@code action} once, when {@link #hasRoom} becomes true. The thread that releases a segment runs the action. If there is room
     * already, the calling thread runs the action in this call. The action must not block.
     */
    public void whenRoom(Runnable action) {
        if (!whole.awaits(reserved, action)) {
            action.run();
        }
    }

    /** Whether an action of {@link #whenRoom} waits. While an action waits, the pool has no room, or has had room only for a moment. */
    public boolean isAwaited() {
        return whole.isAwaited();
    }

    /** The segments of one size. */
    private static final class Shelf {
        final int size;
        private final IntFunction<ByteBuffer> allocator;
        private final Object lock = new Object();

        @GuardedBy("lock")
        private final ArrayDeque<PooledSegment> free = new ArrayDeque<>();

        @GuardedBy("lock")
        private int most;

        @GuardedBy("lock")
        private int taken;

        // The number of segments that must stay free for other uses. The waiting actions run only when more segments
        // are free.
        @GuardedBy("lock")
        private int keptFromWaiting;

        @GuardedBy("lock")
        private List<Runnable> waiting = List.of();

        Shelf(int size, int most, IntFunction<ByteBuffer> allocator) {
            this.size = size;
            this.most = most;
            this.allocator = allocator;
        }

        long budget() {
            synchronized (lock) {
                return (long) most * size;
            }
        }

        long inUse() {
            synchronized (lock) {
                return (long) taken * size;
            }
        }

        /** The number of segments that can be taken if {@code keeping} segments must stay free. */
        int room(int keeping) {
            synchronized (lock) {
                return Math.max(0, most - keeping - taken);
            }
        }

        /** Takes a segment; returns null if fewer than {@code keeping} segments would stay free. */
        @Nullable
        Segment take(int keeping) {
            PooledSegment segment;
            synchronized (lock) {
                if (taken >= most - keeping) {
                    return null;
                }
                taken++;
                segment = free.pollLast();
            }
            if (segment == null) {
                return make();
            }
            segment.reopen();
            return segment;
        }

        /**
         * Makes a segment; returns null if the JVM has no memory. After an {@link OutOfMemoryError} the shelf makes no more segments,
         * because each further attempt would take the JVM half a second.
         */
        private @Nullable Segment make() {
            try {
                return new PooledSegment(this, allocator.apply(size));
            } catch (OutOfMemoryError e) {
                synchronized (lock) {
                    taken--;
                    most = Math.min(most, taken + free.size());
                }
                LOG.error("The JVM has no memory for more buffers; all pipes together keep {} bytes", budget(), e);
                return null;
            }
        }

        /**
         * Stores the action until there is room, and returns true. Returns false if there is room already; the action is then not stored.
         */
        boolean awaits(int keeping, Runnable action) {
            synchronized (lock) {
                if (taken < most - keeping) {
                    return false;
                }
                keptFromWaiting = keeping;
                if (waiting.isEmpty()) {
                    waiting = new ArrayList<>();
                }
                waiting.add(action);
                return true;
            }
        }

        boolean isAwaited() {
            synchronized (lock) {
                return !waiting.isEmpty();
            }
        }

        void takeBack(PooledSegment segment) {
            List<Runnable> told = List.of();
            synchronized (lock) {
                taken--;
                free.addLast(segment);
                if (!waiting.isEmpty() && taken < most - keptFromWaiting) {
                    told = waiting;
                    waiting = List.of();
                }
            }
            told.forEach(Runnable::run);
        }
    }

    private static final class PooledSegment implements Segment {
        private static final AtomicIntegerFieldUpdater<PooledSegment> RELEASED =
                AtomicIntegerFieldUpdater.newUpdater(PooledSegment.class, "released");

        private final @Nullable Shelf shelf;
        private final ByteBuffer buffer;
        private volatile int released;

        PooledSegment(@Nullable Shelf shelf, ByteBuffer buffer) {
            this.shelf = shelf;
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
            assert buffer.isReadOnly() || poisoned();
            if (shelf != null) {
                shelf.takeBack(this);
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

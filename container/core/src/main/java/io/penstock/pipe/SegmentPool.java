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
 * All buffers of the server, under one byte budget. The last tenth of the budget is reserved for uses that help to free memory: for
 * responses, and for bytes that the server read before it noticed that there is no room.
 *
 * <p>There are also small segments, for the few bytes of slow clients: thousands of unfinished bodies must not hold a whole segment each. A
 * quarter of a large budget is reserved for them.
 *
 * <p>Thread: any. No call waits. Owns the free segments; a segment that is in use belongs to its holder. With assertions
 * enabled a released segment is overwritten, so that a use after release shows.
 */
public final class SegmentPool {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentPool.class);
    private static final byte POISON = (byte) 0xDB;
    private static final int SMALL = 1024;

    /**
     * A pipe may grow to this fraction of the memory that is left for growth. So growth never uses up that memory: the more pipes have
     * grown, the less each may hold, and the largest have to go to disk first.
     */
    private static final int SHARE = 4;

    private static final int PLENTY = 16;

    /** A smaller budget has no small segments, since its large segments need that quarter. */
    private static final long LARGE_BUDGET = 1 << 20;

    private final Shelf whole;
    private final Shelf small;
    private final int reserved;
    private final int half;

    // Pipes grow while at least so many segments are free. This is less than half, so that growth alone never sends
    // responses to disk.
    private final int beyondGrowth;
    private final ClientWaits waits = new ClientWaits();

    /**
     * @param segmentSize bytes of one segment
     * @param budget bytes of all segments together
     */
    public SegmentPool(int segmentSize, long budget) {
        this(segmentSize, budget, ByteBuffer::allocateDirect);
    }

    /** @param allocator makes a buffer of that many bytes, or throws {@link OutOfMemoryError} */
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

    /** Bytes in use now. */
    public long inUse() {
        return whole.inUse() + small.inUse();
    }

    /** The most bytes that may be in use. */
    public long budget() {
        return whole.budget() + small.budget();
    }

    /** An empty segment for incoming bytes; null if the budget is used up except for its reserve. */
    public @Nullable Segment tryAcquire() {
        return whole.take(reserved);
    }

    /** An empty segment for {@code bytes} incoming bytes: a small one if they fit. Null as in {@link #tryAcquire()}. */
    public @Nullable Segment tryAcquire(int bytes) {
        Segment segment = bytes <= SMALL ? small.take(0) : null;
        return segment != null ? segment : tryAcquire();
    }

    /** An empty segment, also from the reserve; null if the whole budget is used up. */
    public @Nullable Segment tryAcquireReserved() {
        return whole.take(0);
    }

    /** An empty segment for outgoing bytes. Beyond the whole budget it is a heap buffer that the pool does not keep. */
    public Segment acquireForOutput() {
        Segment segment = tryAcquireReserved();
        return segment != null ? segment : new PooledSegment(null, ByteBuffer.allocate(whole.size));
    }

    /** Whether {@link #tryAcquire()} would return a segment now. */
    public boolean hasRoom() {
        return room() > 0;
    }

    /** How many segments {@link #tryAcquire()} could return now. */
    public int room() {
        return whole.room(reserved);
    }

    /**
     * Whether outgoing bytes may stay in memory. Once half of the budget is in use, outgoing bytes go to disk, so that incoming bytes
     * have room.
     */
    public boolean hasRoomForOutput() {
        return whole.room(half) > 0;
    }

    /** How many bytes a pipe with these bounds, or its writer, may hold now. Growth uses up at most three eighths of the budget. */
    int limit(PipeBounds bounds) {
        return bounds.grows() ? (int) Math.max(bounds.assured(), Math.min(bounds.most(), growth())) : bounds.most();
    }

    /** Whether a reader that asks a moment later is sure to get a few segments. */
    public boolean isPlentiful() {
        return growth() >= PLENTY * (long) whole.size;
    }

    /** How many bytes a pipe may grow to now, as far as its own bounds allow. */
    private long growth() {
        return (long) whole.room(beyondGrowth) * whole.size / SHARE;
    }

    /**
     * Runs {@code action} once, on the releasing thread, when {@link #hasRoom} becomes true; at once if there is room already. The action
     * must not block.
     */
    public void whenRoom(Runnable action) {
        if (!whole.awaits(reserved, action)) {
            action.run();
        }
    }

    /** Whether an action waits for room. If so, there is no room, or there was none until a moment ago. */
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

        @GuardedBy("lock")
        private int keptFromWaiting; // segments that stay free for other uses when the waiting actions are called

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

        /** How many segments can be taken while {@code keeping} segments stay free. */
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

        /** Makes a segment. After an OutOfMemoryError it makes no more: each further attempt would take the JVM half a second. */
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

        /** Makes the action wait for room; returns false if there is room already. */
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
            assert poisoned();
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

package io.penstock.pipe;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Body bytes of one request on their way from a reactor to a worker: the reactor adds them at the {@link Inlet} as they arrive, a blocking
 * stream takes them from the {@link Outlet}.
 *
 * <p>Thread: the inlet belongs to one reactor, the outlet to one worker at a time. Only the outlet blocks. Owns its segments; an
 * empty pipe holds none.
 *
 * <pre>
 *   OPEN --finish--> FINISHED           the reader gets the rest, then the end
 *     |                 |
 *     +--fail(cause)----|--> FAILED       the reader gets the first cause; bytes not yet read are dropped
 *     +--close----------+--> CLOSED       no reader any more: arriving bytes are dropped
 * </pre>
 */
public final class RequestPipe {

    private enum State {
        OPEN,
        FINISHED,
        FAILED,
        CLOSED
    }

    /** Called when a full pipe has room again, or when the reader waits for the client. Thread: the reader's; must not block. */
    @FunctionalInterface
    public interface RoomListener {
        void roomInPipe();

        /** The reader has nothing to read and waits for the client. {@link #goesOn} follows on the same thread. */
        default void waits() {}

        /** The wait has ended. */
        default void goesOn() {}
    }

    private final SegmentPool pool;
    private final RoomListener roomListener;
    private final Inlet inlet = new Inlet();
    private final Outlet outlet = new Outlet();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition readable = lock.newCondition();

    // Segments in the order of arrival. The unread bytes of each lie between its position (next byte to read) and its
    // limit (next free byte).
    @GuardedBy("lock")
    private final ArrayDeque<Segment> segments = new ArrayDeque<>(4);

    @GuardedBy("lock")
    private PipeBounds bounds;

    @GuardedBy("lock")
    private State state = State.OPEN;

    @GuardedBy("lock")
    private int size;

    @GuardedBy("lock")
    private boolean wantsRoom;

    // Whether reading from the client has stopped for lack of memory, and whether a reader waits for that client.
    @GuardedBy("lock")
    private boolean pausedForMemory;

    @GuardedBy("lock")
    private boolean readerWaits;

    @GuardedBy("lock")
    private @Nullable IOException cause;

    @GuardedBy("lock")
    private @Nullable Runnable whenReady;

    /** A pipe that does not grow. */
    public RequestPipe(SegmentPool pool, int capacity, RoomListener roomListener) {
        this(pool, PipeBounds.fixed(capacity), roomListener);
    }

    public RequestPipe(SegmentPool pool, PipeBounds bounds, RoomListener roomListener) {
        this.pool = pool;
        this.bounds = bounds;
        this.roomListener = roomListener;
    }

    /** The pool of its segments. */
    public SegmentPool pool() {
        return pool;
    }

    public Inlet inlet() {
        return inlet;
    }

    public Outlet outlet() {
        return outlet;
    }

    /** The result of {@link Inlet#offer}. */
    public enum Offered {
        /** All bytes were taken. */
        ALL,
        /** The pipe is full; the {@link RoomListener} is called when it has room. */
        FULL,
        /** The server's budget has no segment left; the {@link RoomListener} is called when a reader waits. */
        OVER_BUDGET
    }

    /** The reactor's end. Nothing here waits. */
    public final class Inlet {
        private Inlet() {}

        /**
         * How many bytes the reactor should read now. An offer takes these bytes, as far as the budget allows. After 0 the {@link
         * RoomListener} is called when there is room.
         */
        public int room() {
            lock.lock();
            try {
                if (state == State.CLOSED || state == State.FAILED) {
                    return Integer.MAX_VALUE;
                }
                int limit = pool.limit(bounds);
                wantsRoom |= size >= limit;
                return Math.max(0, limit - size);
            } finally {
                lock.unlock();
            }
        }

        /** Takes bytes of the source, up to the most that the pipe may ever hold, since these bytes have been read already. */
        public Offered offer(ByteBuffer source) {
            Runnable ready = null;
            Offered result = Offered.ALL;
            lock.lock();
            try {
                if (state == State.CLOSED || state == State.FAILED) {
                    source.position(source.limit());
                    return Offered.ALL;
                }
                int before = size;
                while (source.hasRemaining() && result == Offered.ALL) {
                    if (size >= bounds.most()) {
                        wantsRoom = true;
                        result = Offered.FULL;
                    } else if (!fill(source)) {
                        pausedForMemory = true;
                        result = Offered.OVER_BUDGET;
                    }
                }
                ready = grownFrom(before);
            } finally {
                lock.unlock();
            }
            run(ready);
            return result;
        }

        /**
         * Reads at most {@code most} bytes of the body from the source, once, straight into segments. The lock is held meanwhile: this is for a
         * body without a reader.
         *
         * @return as {@link PipeSource#read(ByteBuffer)}; 0 also if there is no memory, or if the body is not wanted any more
         */
        public int read(PipeSource source, int most) throws IOException {
            Runnable ready = null;
            int count;
            lock.lock();
            try {
                if (state != State.OPEN) {
                    return 0;
                }
                ReadTarget target = new ReadTarget(segments, pool, Math.min(most, bounds.most() - size));
                if (target.room() == 0) {
                    return 0;
                }
                int before = size;
                try {
                    count = target.read(source);
                } finally {
                    size += target.taken();
                }
                ready = grownFrom(before);
            } finally {
                lock.unlock();
            }
            run(ready);
            return count;
        }

        @GuardedBy("lock")
        private @Nullable Runnable grownFrom(int before) {
            if (before > 0 || size == 0) {
                return null;
            }
            readable.signal(); // wakes the reader, since there are bytes
            return takeWhenReady();
        }

        @GuardedBy("lock")
        private boolean fill(ByteBuffer source) {
            Segment last = segments.peekLast();
            ByteBuffer buffer = last == null ? null : last.buffer();
            if (buffer == null || buffer.limit() == buffer.capacity()) {
                last = acquire(source.remaining());
                if (last == null) {
                    return false;
                }
                buffer = last.buffer();
                buffer.limit(0);
                segments.addLast(last);
            }
            int end = buffer.limit();
            int count = Math.min(Math.min(source.remaining(), buffer.capacity() - end), bounds.most() - size);
            buffer.limit(end + count);
            buffer.put(end, source, source.position(), count);
            source.position(source.position() + count);
            size += count;
            return true;
        }

        /**
         * A waiting reader gets one segment beyond the budget. Otherwise all streaming readers could wait for memory, while requests that
         * wait for a streaming worker hold that memory. At most as many readers wait as there are workers, so the excess is limited.
         */
        @GuardedBy("lock")
        private @Nullable Segment acquire(int bytes) {
            Segment segment = pool.tryAcquire(bytes);
            return segment == null && readerWaits && size == 0 ? pool.acquireForOutput() : segment;
        }

        /**
         * Stops reading from the client, for lack of memory.
         *
         * @return true if reading stops; then the {@link RoomListener} is called when a reader waits. False if reading must continue,
         *     since a reader waits already
         */
        public boolean tryPauseForMemory() {
            lock.lock();
            try {
                pausedForMemory = !readerWaits;
                return pausedForMemory;
            } finally {
                lock.unlock();
            }
        }

        /** The last byte of the body is in the pipe. */
        public void finish() {
            end(State.FINISHED, null);
        }

        /** The body will not arrive whole. The first cause stays. */
        public void fail(IOException reason) {
            end(State.FAILED, reason);
        }

        /** Bytes that the pipe holds. */
        public int size() {
            lock.lock();
            try {
                return size;
            } finally {
                lock.unlock();
            }
        }

        /** Whether the pipe holds more than its assured size, so that other pipes may lack memory. */
        public boolean hasGrown() {
            lock.lock();
            try {
                return size > bounds.assured();
            } finally {
                lock.unlock();
            }
        }

        /**
         * Removes all segments, in order. Called only while the body has no reader. The caller owns them from here on. The pipe does not
         * grow any more, since the following bytes go to disk, too.
         */
        public List<Segment> takeAll() {
            lock.lock();
            try {
                List<Segment> taken = List.copyOf(segments);
                segments.clear();
                size = 0;
                wantsRoom = false;
                bounds = bounds.withoutGrowth();
                return taken;
            } finally {
                lock.unlock();
            }
        }

        private void end(State next, @Nullable IOException reason) {
            Runnable ready;
            lock.lock();
            try {
                if (state != State.OPEN) {
                    return;
                }
                state = next;
                cause = reason;
                if (next == State.FAILED) {
                    releaseAll();
                }
                readable.signalAll(); // wakes the reader, since nothing more will come
                ready = takeWhenReady();
            } finally {
                lock.unlock();
            }
            run(ready);
        }
    }

    /** The worker's end. Reads block while the pipe is open and empty; the reactor's deadlines end a wait that lasts too long. */
    public final class Outlet {
        private Outlet() {}

        /** Reads at least one byte; returns -1 at the end. */
        public int read(byte[] target, int offset, int length) throws IOException {
            return read(ByteBuffer.wrap(target, offset, length));
        }

        /** Reads at least one byte; returns -1 at the end, and 0 only if {@code target} has no room. */
        public int read(ByteBuffer target) throws IOException {
            if (!target.hasRemaining()) {
                return 0;
            }
            boolean room;
            int count;
            lock.lock();
            try {
                awaitReadable();
                if (state == State.FAILED) {
                    throw failure();
                }
                if (state == State.CLOSED) {
                    throw new BodyFailure(new IOException("The request body has been closed"));
                }
                if (size == 0) {
                    return -1;
                }
                count = moveTo(target);
                room = wantsRoom && size <= bounds.assured() / 2;
                if (room) {
                    wantsRoom = false;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("Interrupted while waiting for the request body", e);
            } finally {
                lock.unlock();
            }
            if (room) {
                roomListener.roomInPipe(); // the reactor may then continue to read
            }
            return count;
        }

        @GuardedBy("lock")
        private void awaitReadable() throws InterruptedException {
            while (size == 0 && state == State.OPEN) {
                readerWaits = true;
                if (pausedForMemory) {
                    pausedForMemory = false;
                    // A reader waits for this client, so the reactor must read from the client even without memory.
                    roomListener.roomInPipe();
                }
                try {
                    pool.waits().begin(ClientWaits.For.BYTES);
                    roomListener.waits();
                    readable.await(); // until the reactor adds bytes, the end, or a failure
                } finally {
                    roomListener.goesOn();
                    pool.waits().end();
                    readerWaits = false;
                }
            }
        }

        /** Throws the cause of the failure if the body will not arrive whole. */
        public void check() throws IOException {
            lock.lock();
            try {
                if (state == State.FAILED) {
                    throw failure();
                }
            } finally {
                lock.unlock();
            }
        }

        public int available() {
            lock.lock();
            try {
                return size;
            } finally {
                lock.unlock();
            }
        }

        /** Whether all bytes have been read. */
        public boolean isFinished() {
            lock.lock();
            try {
                return state == State.FINISHED && size == 0;
            } finally {
                lock.unlock();
            }
        }

        /** Whether a read would return or throw at once. */
        public boolean isReady() {
            lock.lock();
            try {
                return size > 0 || state != State.OPEN;
            } finally {
                lock.unlock();
            }
        }

        /** Runs {@code action} once as soon as {@link #isReady()}; at once if it is. One action waits at a time. */
        public void whenReady(Runnable action) {
            lock.lock();
            try {
                if (size == 0 && state == State.OPEN) {
                    whenReady = action;
                    return;
                }
            } finally {
                lock.unlock();
            }
            action.run();
        }

        /** The reader takes no more bytes. */
        public void close() {
            boolean room;
            lock.lock();
            try {
                if (state != State.FAILED) {
                    state = State.CLOSED;
                }
                releaseAll();
                readable.signalAll(); // wakes a reader on another thread, since nothing more will come
                whenReady = null;
                room = wantsRoom;
                wantsRoom = false;
            } finally {
                lock.unlock();
            }
            if (room) {
                roomListener.roomInPipe(); // the reactor then drops further bytes
            }
        }
    }

    /** Moves bytes to {@code target} until it is full or there are no more. Emptied segments are released. */
    @GuardedBy("lock")
    private int moveTo(ByteBuffer target) {
        int count = 0;
        while (size > 0 && target.hasRemaining()) {
            Segment first = segments.getFirst();
            ByteBuffer buffer = first.buffer();
            int part = Math.min(buffer.remaining(), target.remaining());
            int limit = buffer.limit();
            target.put(buffer.limit(buffer.position() + part));
            buffer.limit(limit);
            size -= part;
            count += part;
            if (!buffer.hasRemaining()) {
                segments.removeFirst();
                first.release();
            }
        }
        return count;
    }

    @GuardedBy("lock")
    private IOException failure() {
        // A new exception with the reader's stack; its cause is the failure that the reactor saw.
        return cause == null ? new IOException("The request body failed") : new BodyFailure(cause);
    }

    @GuardedBy("lock")
    private @Nullable Runnable takeWhenReady() {
        Runnable action = whenReady;
        whenReady = null;
        return action;
    }

    @GuardedBy("lock")
    private void releaseAll() {
        for (Segment segment : segments) {
            segment.release();
        }
        segments.clear();
        size = 0;
    }

    private static void run(@Nullable Runnable action) {
        if (action != null) {
            action.run();
        }
    }
}

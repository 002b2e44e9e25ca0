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
 * A queue that passes the body bytes of one request from a reactor to a worker. The reactor adds received bytes at the {@link Inlet}. A
 * blocking stream of the worker reads the bytes from the {@link Outlet}.
 *
 * <p>Thread: only one reactor uses the inlet, and only one worker at a time uses the outlet. Only methods of the outlet block. The pipe
 * owns its segments; an empty pipe holds no segments.
 *
 * <pre>
 *   OPEN --finish--> FINISHED           the reader gets the remaining bytes, then the end; arriving bytes are dropped
 *     |                 |
 *     +--fail(cause)----|--> FAILED       the reader gets the cause of the first failure; unread bytes are dropped
 *     +--close----------+--> CLOSED       the reader has closed the pipe; arriving bytes are dropped
 * </pre>
 */
public final class RequestPipe {

    private enum State {
        OPEN,
        FINISHED,
        FAILED,
        CLOSED
    }

    /** Is notified of events on the reader's side of the pipe. The thread of the reader calls these methods. They must not block. */
    @FunctionalInterface
    public interface RoomListener {
        void roomInPipe();

        /** Called before the reader waits for bytes from the client. After the wait the same thread calls {@link #resumed}. */
        default void waits() {}

        /** Called when the wait of the reader has ended. */
        default void resumed() {}
    }

    private final SegmentPool pool;
    private final RoomListener roomListener;
    private final Inlet inlet = new Inlet();
    private final Outlet outlet = new Outlet();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition readable = lock.newCondition();

    // The segments in the order of arrival. The unread bytes of a segment are the bytes between the position and the
    // limit of its buffer. The reactor adds new bytes at the limit.
    @GuardedBy("lock")
    private final ArrayDeque<Segment> segments = new ArrayDeque<>(1);

    @GuardedBy("lock")
    private PipeBounds bounds;

    @GuardedBy("lock")
    private State state = State.OPEN;

    @GuardedBy("lock")
    private int size;

    // The number of bytes that have left the pipe.
    @GuardedBy("lock")
    private long consumed;

    @GuardedBy("lock")
    private boolean wantsRoom;

    // pausedForMemory: the reactor has stopped reading from the client, because memory was short. readerWaits: the
    // reader waits for bytes from the client.
    @GuardedBy("lock")
    private boolean pausedForMemory;

    @GuardedBy("lock")
    private boolean readerWaits;

    @GuardedBy("lock")
    private @Nullable IOException cause;

    @GuardedBy("lock")
    private @Nullable Runnable whenReady;

    /** Makes a pipe with a fixed capacity. */
    public RequestPipe(SegmentPool pool, int capacity, RoomListener roomListener) {
        this(pool, PipeBounds.fixed(capacity), roomListener);
    }

    public RequestPipe(SegmentPool pool, PipeBounds bounds, RoomListener roomListener) {
        this.pool = pool;
        this.bounds = bounds;
        this.roomListener = roomListener;
    }

    /** The pool from which this pipe takes its segments. */
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
        /** The pipe has taken all bytes. */
        ALL,
        /** The pipe is full. It calls the {@link RoomListener} when it has room again. */
        FULL,
        /** The memory budget of the server has no segment left. The pipe calls the {@link RoomListener} when a reader waits for bytes. */
        OVER_BUDGET
    }

    /** The side of the pipe that the reactor uses. No method blocks. */
    public final class Inlet {
        private Inlet() {}

        /**
         * The number of bytes that the reactor should read from the client now. {@link #offer} then takes these bytes if the memory budget
         * allows. If the result is 0, the pipe calls the {@link RoomListener} as soon as it has room.
         */
        public int room() {
            return room(1);
        }

        /** As {@link #room()}, but the pipe also calls the {@link RoomListener} if the result is less than {@code wanted}. */
        public int room(int wanted) {
            lock.lock();
            try {
                if (state == State.CLOSED || state == State.FAILED) {
                    return Integer.MAX_VALUE;
                }
                int limit = pool.limit(bounds);
                wantsRoom |= limit - size < wanted;
                return Math.max(0, limit - size);
            } finally {
                lock.unlock();
            }
        }

        /**
         * Takes bytes from {@code source}, until the pipe has its maximum size ({@link PipeBounds#most}). The method can take more bytes
         * than {@link #room} returned, because these bytes have already been received and must be stored.
         */
        public Offered offer(ByteBuffer source) {
            Runnable ready = null;
            Offered result = Offered.ALL;
            lock.lock();
            try {
                if (state != State.OPEN) {
                    consumed += source.remaining();
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
         * Calls {@code source} once, and reads at most {@code most} bytes of the body directly into segments. The lock is held during the
         * read, so callers use this method only for a body without a reader.
         *
         * @return the result of {@link PipeSource#read(ByteBuffer)}. The result is also 0 if no memory is left, or if the pipe is not open
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
            // The reader wakes, because the pipe has bytes.
            readable.signal();
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
         * Takes a segment from the pool. A waiting reader gets one segment even if the budget is used up. Otherwise a deadlock would be
         * possible: workers that read bodies would wait for memory, and requests that wait for these workers would hold the memory. The
         * number of waiting readers is at most the number of workers, so the extra memory is limited.
         */
        @GuardedBy("lock")
        private @Nullable Segment acquire(int bytes) {
            Segment segment = pool.tryAcquire(bytes);
            return segment == null && readerWaits && size == 0 ? pool.acquireForOutput() : segment;
        }

        /**
         * Called when memory is short. Decides whether the reactor stops reading from the client.
         *
         * @return true if the reactor must stop. The pipe then calls the {@link RoomListener} when a reader waits for bytes. False if the
         *     reactor must continue, because a reader already waits for bytes
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

        /** Called after the last byte of the body has been added. */
        public void finish() {
            end(State.FINISHED, null);
        }

        /** Called when the body cannot be received completely. If this method is called several times, the pipe keeps the first reason. */
        public void fail(IOException reason) {
            end(State.FAILED, reason);
        }

        /** The number of bytes that the pipe holds. */
        public int size() {
            lock.lock();
            try {
                return size;
            } finally {
                lock.unlock();
            }
        }

        /**
         * How many of the bytes that the pipe has taken are not in the pipe any more: the reader has read them, {@link #takeAll} has
         * returned them, or the pipe has dropped them. A client that may send only as many bytes as the receiver permits (flow control) gets
         * its permission back for these bytes.
         */
        public long consumed() {
            lock.lock();
            try {
                return consumed;
            } finally {
                lock.unlock();
            }
        }

        /** Whether the pipe holds more bytes than its assured size ({@link PipeBounds#assured}). */
        public boolean hasGrown() {
            lock.lock();
            try {
                return size > bounds.assured();
            } finally {
                lock.unlock();
            }
        }

        /**
         * Removes all segments and returns them in order. The caller owns the segments, and writes their bytes to disk. From this call on
         * the pipe does not grow beyond its assured size, because further bytes are written to disk too. This method is called only while
         * the body has no reader.
         */
        public List<Segment> takeAll() {
            lock.lock();
            try {
                List<Segment> taken = List.copyOf(segments);
                segments.clear();
                consumed += size;
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
                // The reader wakes, because no more bytes will arrive.
                readable.signalAll();
                ready = takeWhenReady();
            } finally {
                lock.unlock();
            }
            run(ready);
        }
    }

    /**
     * The side of the pipe that the worker uses. A read blocks while the pipe is open and empty. If a read waits too long, a deadline of
     * the reactor ends the wait with {@link Inlet#fail}.
     */
    public final class Outlet {
        private Outlet() {}

        /** Reads at least one byte. Returns -1 at the end of the body. */
        public int read(byte[] target, int offset, int length) throws IOException {
            return read(ByteBuffer.wrap(target, offset, length));
        }

        /** Reads at least one byte. Returns -1 at the end of the body, and 0 only if {@code target} has no room. */
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
                // The reactor can now continue to read from the client.
                roomListener.roomInPipe();
            }
            return count;
        }

        @GuardedBy("lock")
        private void awaitReadable() throws InterruptedException {
            while (size == 0 && state == State.OPEN) {
                readerWaits = true;
                if (pausedForMemory) {
                    pausedForMemory = false;
                    // A reader waits for bytes of this client. So the reactor must read from the client, even if the
                    // memory budget is used up.
                    roomListener.roomInPipe();
                }
                try {
                    pool.waits().begin(ClientWaits.For.BYTES);
                    roomListener.waits();
                    // The wait ends when the reactor adds bytes, finishes the body, or reports a failure.
                    readable.await();
                } finally {
                    roomListener.resumed();
                    pool.waits().end();
                    readerWaits = false;
                }
            }
        }

        /** Throws an exception with the cause if the body has failed. */
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

        /** Whether all bytes of the body have been read. */
        public boolean isFinished() {
            lock.lock();
            try {
                return state == State.FINISHED && size == 0;
            } finally {
                lock.unlock();
            }
        }

        /** Whether a read would return or throw an exception without waiting. */
        public boolean isReady() {
            lock.lock();
            try {
                return size > 0 || state != State.OPEN;
            } finally {
                lock.unlock();
            }
        }

        /**
         * Runs {@code action} once, as soon as {@link #isReady()} returns true. If {@link #isReady()} already returns true, the action runs
         * in this call. A new action replaces an action that has not run yet.
         */
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

        /** Called when the reader wants no more bytes. The pipe drops all bytes that it holds or gets later. */
        public void close() {
            boolean room;
            lock.lock();
            try {
                if (state != State.FAILED) {
                    state = State.CLOSED;
                }
                releaseAll();
                // A reader on another thread wakes, because it will get no more bytes.
                readable.signalAll();
                whenReady = null;
                room = wantsRoom;
                wantsRoom = false;
            } finally {
                lock.unlock();
            }
            if (room) {
                // The reactor can now continue to read from the client. The pipe drops the bytes that the reactor
                // reads.
                roomListener.roomInPipe();
            }
        }
    }

    /** Moves bytes to {@code target} until {@code target} is full or the pipe is empty. Empty segments are released. */
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
            consumed += part;
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
        // The new exception has the stack trace of the reader. Its cause is the failure that the reactor reported.
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
        consumed += size;
        size = 0;
    }

    private static void run(@Nullable Runnable action) {
        if (action != null) {
            action.run();
        }
    }
}

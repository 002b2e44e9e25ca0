package io.penstock.exchange;

import io.penstock.pipe.Segment;
import io.penstock.pipe.SegmentPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file in larger portions than its reader asks for. So byte-wise reads do not cost a system call for each byte.
 *
 * <p>Thread: {@link #read}: one at a time. {@link #drop} and {@link #close}: any, also during a read. No method waits for another.
 *
 * <p>Owns: at most one segment, and only while it has unread bytes. A read takes the segment out of the slot, and puts it back if unread
 * bytes are left. A thread that has taken the segment out, and does not put it back, releases the segment.
 *
 * <pre>
 *   slot:  empty --read--> unread bytes --read of the last byte, drop--> empty
 *             any --close--> CLOSED
 * </pre>
 */
final class ReadAhead {
    /** The bytes of one portion: a small segment. Larger reads go directly to the file. */
    private static final int PORTION = 1024;

    private final File file;
    private final SegmentPool pool;
    private final AtomicReference<@Nullable Segment> slot = new AtomicReference<>();

    /** The file that is read. */
    @FunctionalInterface
    interface File {

        /** Reads at least one byte from {@code position} on; -1 at the end. */
        int read(ByteBuffer target, long position) throws IOException;
    }

    /** The content of the slot after {@link #close}. From then on, the slot accepts no segment. */
    private enum Closed implements Segment {
        CLOSED;

        @Override
        public ByteBuffer buffer() {
            throw new IllegalStateException("no segment");
        }

        @Override
        public void release() {
            throw new IllegalStateException("no segment");
        }
    }

    ReadAhead(File file, SegmentPool pool) {
        this.file = file;
        this.pool = pool;
    }

    /**
     * Reads at least one byte; -1 at the end.
     *
     * @param position the position in the file: after the last byte that was read, or any position after {@link #drop}
     */
    int read(ByteBuffer target, long position) throws IOException {
        Segment ahead = take();
        if (ahead == null) {
            if (target.remaining() >= PORTION) {
                return file.read(target, position);
            }
            ahead = filled(position);
            if (ahead == null) {
                return -1;
            }
        }
        ByteBuffer from = ahead.buffer();
        int count = Math.min(from.remaining(), target.remaining());
        int limit = from.limit();
        target.put(from.limit(from.position() + count));
        from.limit(limit);
        if (!from.hasRemaining() || !slot.compareAndSet(null, ahead)) {
            ahead.release(); // all bytes are read, or close() was called meanwhile
        }
        return count;
    }

    /** Takes the segment with unread bytes out of the slot. The caller owns it from here on. Null if there is none. */
    private @Nullable Segment take() {
        Segment ahead = slot.get();
        return ahead != null && ahead != Closed.CLOSED && slot.compareAndSet(ahead, null) ? ahead : null;
    }

    /**
     * A segment with the bytes from {@code position} on; null at the end. If the budget is used up, the segment exceeds the budget, since
     * the worker must not wait.
     */
    private @Nullable Segment filled(long position) throws IOException {
        Segment made = pool.tryAcquire(PORTION);
        Segment into = made == null ? pool.acquireForOutput() : made;
        int count = -1;
        try {
            count = file.read(into.buffer(), position);
        } finally {
            if (count < 0) {
                into.release();
            }
        }
        if (count < 0) {
            return null;
        }
        into.buffer().flip();
        return into;
    }

    /** Releases the bytes that were read ahead. */
    void drop() {
        Segment ahead = take();
        if (ahead != null) {
            ahead.release();
        }
    }

    /** Releases the segment. Later reads keep no segment. Idempotent. */
    void close() {
        Segment ahead = slot.getAndSet(Closed.CLOSED);
        if (ahead != null && ahead != Closed.CLOSED) {
            ahead.release();
        }
    }
}

package io.penstock.exchange;

import io.penstock.pipe.Segment;
import io.penstock.pipe.SegmentPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file in larger portions than the caller requests, and keeps the additional bytes for later reads. So an application that reads
 * single bytes does not need a system call for each byte.
 *
 * <p>Thread: {@link #read}: one thread at a time. {@link #drop} and {@link #close}: any thread, also during a read. No method waits for
 * another thread.
 *
 * <p>Owns: at most one segment, and only while the segment has unread bytes. The field {@link #slot} holds this segment. A read takes the
 * segment out of the slot, and puts the segment back if it has more unread bytes. A thread that takes the segment out of the slot must
 * either put it back or release it.
 *
 * <pre>
 *   slot:  empty --read--> unread bytes --read of the last byte, drop--> empty
 *             any --close--> CLOSED
 * </pre>
 */
final class ReadAhead {
    /** The size of one portion in bytes, which is the size of a small segment. Reads of this size or more go directly to the file. */
    private static final int PORTION = 1024;

    private final File file;
    private final SegmentPool pool;
    private final AtomicReference<@Nullable Segment> slot = new AtomicReference<>();

    /** The file that is read. */
    @FunctionalInterface
    interface File {

        /** Reads at least one byte at {@code position}. Returns the number of bytes, or -1 at the end of the file. */
        int read(ByteBuffer target, long position) throws IOException;
    }

    /** The content of the slot after {@link #close}. While the slot has this content, no segment can be put into it. */
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
     * Reads at least one byte. Returns the number of bytes, or -1 at the end of the file.
     *
     * @param position the position in the file. It must be the position after the previous read. After {@link #drop}, any position is
     *     possible
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
            // All bytes of the segment are read, or close() was called meanwhile.
            ahead.release();
        }
        return count;
    }

    /** Takes the segment with unread bytes out of the slot. From now on, the caller owns the segment. Null if the slot has no segment. */
    private @Nullable Segment take() {
        Segment ahead = slot.get();
        return ahead != null && ahead != Closed.CLOSED && slot.compareAndSet(ahead, null) ? ahead : null;
    }

    /**
     * Returns a new segment with bytes of the file, beginning at {@code position}; null at the end of the file. If the memory budget is
     * used up, the segment exceeds the budget, since the worker must not wait for memory.
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

    /** Releases the segment with the unread bytes. A later read gets these bytes from the file again. */
    void drop() {
        Segment ahead = take();
        if (ahead != null) {
            ahead.release();
        }
    }

    /** Releases the segment. After this call, reads do not keep a segment. Idempotent. */
    void close() {
        Segment ahead = slot.getAndSet(Closed.CLOSED);
        if (ahead != null && ahead != Closed.CLOSED) {
            ahead.release();
        }
    }
}

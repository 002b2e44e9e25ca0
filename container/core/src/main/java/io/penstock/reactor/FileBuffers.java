package io.penstock.reactor;

import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The buffers in which parts of files are copied on the way to the clients of one {@link Reactor}. A buffer is made when it is first
 * needed, and is then kept for reuse.
 *
 * <p>Thread: any. No method blocks.
 */
final class FileBuffers {
    private static final int MAX = 4;

    /** The size of a buffer in bytes. A response pipe sends at most this number of file bytes before the reactor serves other clients. */
    private static final int SIZE = 256 * 1024;

    private final BlockingQueue<ByteBuffer> free = new ArrayBlockingQueue<>(MAX);
    private final AtomicInteger unmade = new AtomicInteger(MAX);

    /**
     * Returns an empty buffer. The caller must return the buffer with {@link #giveBack}. The result is null if all buffers are in use, or
     * if no memory is left for another buffer.
     */
    @Nullable
    ByteBuffer borrow() {
        ByteBuffer found = free.poll();
        if (found != null || unmade.getAndUpdate(count -> Math.max(0, count - 1)) == 0) {
            return found;
        }
        try {
            return ByteBuffer.allocateDirect(SIZE);
        } catch (OutOfMemoryError e) {
            // Without a buffer, the caller sends the file directly (sendfile).
            unmade.incrementAndGet();
            return null;
        }
    }

    void giveBack(ByteBuffer borrowed) {
        free.add(borrowed.clear());
    }
}

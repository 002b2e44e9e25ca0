package io.penstock.reactor;

import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The buffers for copies of parts of files to the clients of one reactor. Each is made when it is first needed, and kept. With the default
 * settings each reactor has as many buffers as there are processors, since no more threads can copy at one time.
 *
 * <p>Thread: any; nothing waits.
 */
final class FileBuffers {
    private static final int MOST = 4;

    /** As many bytes as a pipe sends of a file in one turn. */
    private static final int SIZE = 256 * 1024;

    private final BlockingQueue<ByteBuffer> free = new ArrayBlockingQueue<>(MOST);
    private final AtomicInteger unmade = new AtomicInteger(MOST);

    /** Returns an empty buffer, which the caller gives back. Null if all are in use, or if there is no memory for another. */
    @Nullable
    ByteBuffer borrow() {
        ByteBuffer found = free.poll();
        if (found != null || unmade.getAndUpdate(count -> Math.max(0, count - 1)) == 0) {
            return found;
        }
        try {
            return ByteBuffer.allocateDirect(SIZE);
        } catch (OutOfMemoryError e) {
            // Without a buffer, the caller sends the file without a copy.
            unmade.incrementAndGet();
            return null;
        }
    }

    void giveBack(ByteBuffer borrowed) {
        free.add(borrowed.clear());
    }
}

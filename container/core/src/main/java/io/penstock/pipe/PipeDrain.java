package io.penstock.pipe;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One drain of a {@link ResponsePipe}. The drain reserves the first items of the pipe, writes them to the outlet without holding the pipe's
 * lock, and gives the unsent bytes back to the pipe. The drain repeats these steps until the pipe is empty and the outlet is flushed. It
 * stops earlier if the outlet takes or sends no more bytes, or after 256 KB of files.
 *
 * <p>Thread: the holder of the connection's write token. For {@link #take} and {@link #giveBack} the thread must also hold the pipe's lock.
 * The drain owns the buffers of the current write.
 */
final class PipeDrain {
    /** The maximum number of file bytes in one drain. The number is limited because the reactor must also serve other clients. */
    private static final long REGION_BUDGET = 256 * 1024;

    private static final int GATHER = 16;
    private static final ByteBuffer[] NONE = new ByteBuffer[0];

    private final ResponsePipe pipe;

    // The data of the current write: one part of a file ({@code region}), or the buffers of the first segments. If the
    // caller of the drain has further bytes, its buffer is the last of these buffers.
    private ByteBuffer[] gathered = NONE;
    private @Nullable FileRegion region;
    private int segments;

    // The result of the current write. taken: the number of bytes that the outlet has taken. takenBehind: the number of
    // these bytes that came from the caller's buffer. flushed: whether the outlet has sent all bytes that it has taken.
    private long taken;
    private int takenBehind;
    private boolean flushed;

    PipeDrain(ResponsePipe pipe) {
        this.pipe = pipe;
    }

    /** Drains the pipe as described in {@link ResponsePipe#drainTo}. */
    boolean drainTo(PipeOutlet outlet, ByteBuffer behind) throws IOException {
        long regionBudget = REGION_BUDGET;
        while (pipe.beginDrain(this, behind)) {
            boolean left;
            boolean emptied;
            int unsentBehind = behind.remaining();
            taken = 0;
            try {
                FileRegion file = region;
                if (file == null) {
                    taken = outlet.write(gathered, 0, gathered.length);
                } else {
                    taken = file.sendTo(outlet, regionBudget);
                    regionBudget -= taken;
                }
            } finally {
                takenBehind = unsentBehind - behind.remaining();
                flushed = outlet.isFlushed();
                left = hasLeft();
                emptied = pipe.endDrain(this);
            }
            if (!left) {
                return false;
            }
            if (emptied && !behind.hasRemaining()) {
                // If another thread adds bytes now, the holder of the write token finds these bytes when it releases
                // the token.
                break;
            }
        }
        return flush(outlet);
    }

    /** Flushes the outlet, which can hold unsent bytes even if the pipe is empty. Returns whether the outlet has sent all its bytes. */
    private boolean flush(PipeOutlet outlet) throws IOException {
        boolean all = outlet.flush();
        if (all) {
            pipe.flushed();
        }
        return all;
    }

    /** Whether the outlet has taken all bytes of the current write. */
    private boolean hasLeft() {
        FileRegion file = region;
        boolean all = file == null || file.remaining() == 0;
        for (ByteBuffer buffer : gathered) {
            all &= !buffer.hasRemaining();
        }
        return all;
    }

    /**
     * Reserves the first items of the pipe for one write. If this method throws an exception, for example because no memory is left, no
     * item is reserved.
     */
    void take(PipeContent content, ByteBuffer behind) {
        region = content.firstRegion();
        segments = region == null ? content.segments(GATHER) : 0;
        boolean follows = region == null && segments < GATHER && behind.hasRemaining() && content.isAll(segments);
        gathered = new ByteBuffer[follows ? segments + 1 : segments];
        content.gather(gathered, segments);
        if (follows) {
            gathered[segments] = behind;
        }
        // This call is the last one, because it makes the reservation. From now on the caller gives the items back if
        // the write fails.
        content.drains();
    }

    /**
     * Ends the reservation and removes the bytes that the outlet has taken. Returns whether the pipe holds fewer bytes in memory than
     * before.
     */
    boolean giveBack(PipeContent content) {
        FileRegion file = region;
        region = null;
        if (file == null) {
            return content.wrote(segments, taken, takenBehind, flushed);
        }
        content.transferred(file, taken, flushed);
        return false;
    }
}

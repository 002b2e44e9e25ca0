package io.penstock.pipe;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One drain of a response pipe: reserves the first items, writes them to the outlet outside the pipe's lock, and returns the rest. It
 * ends when the pipe is empty and the outlet flushed. It also ends when the outlet takes or sends no more, or when 256 KB of files have
 * been sent.
 *
 * <p>Thread: the holder of the connection's write token; {@link #take} and {@link #giveBack} with the pipe's lock as well. Owns the
 * buffers of the current write.
 */
final class PipeDrain {
    /** The most bytes of a file in one drain: a reactor has other clients, too. */
    private static final long REGION_TURN = 256 * 1024;

    private static final int GATHER = 16;
    private static final ByteBuffer[] NONE = new ByteBuffer[0];

    private final ResponsePipe pipe;

    // What is being written: one part of a file ({@code region}), or the buffers of the first segments and perhaps the
    // caller's.
    private ByteBuffer[] gathered = NONE;
    private @Nullable FileRegion region;
    private int segments;

    // The result of this write: the bytes that the outlet has taken, how many of these were the caller's, and whether
    // the outlet has sent all that it took.
    private long taken;
    private int takenBehind;
    private boolean flushed;

    PipeDrain(ResponsePipe pipe) {
        this.pipe = pipe;
    }

    /** See {@link ResponsePipe#drainTo}. */
    boolean drainTo(PipeOutlet outlet, ByteBuffer behind) throws IOException {
        long regionBudget = REGION_TURN;
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
                break; // the thread that releases the token finds bytes that are added from here on
            }
        }
        return flush(outlet);
    }

    /** Flushes the outlet, which may have bytes to send although the pipe is empty. Returns whether all have been sent. */
    private boolean flush(PipeOutlet outlet) throws IOException {
        boolean all = outlet.flush();
        if (all) {
            pipe.flushed();
        }
        return all;
    }

    /** Whether the outlet has taken all bytes that it was offered. */
    private boolean hasLeft() {
        FileRegion file = region;
        boolean all = file == null || file.remaining() == 0;
        for (ByteBuffer buffer : gathered) {
            all &= !buffer.hasRemaining();
        }
        return all;
    }

    /** Reserves the first items for one write. If this throws, for example for lack of memory, nothing is reserved. */
    void take(PipeContent content, ByteBuffer behind) {
        region = content.firstRegion();
        segments = region == null ? content.segments(GATHER) : 0;
        boolean follows = region == null && segments < GATHER && behind.hasRemaining() && content.isAll(segments);
        gathered = new ByteBuffer[follows ? segments + 1 : segments];
        content.gather(gathered, segments);
        if (follows) {
            gathered[segments] = behind;
        }
        content.drains(); // set last: from here on the caller gives the items back if the write fails
    }

    /** Gives back the items that were not sent; returns whether the pipe holds fewer bytes in memory. */
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

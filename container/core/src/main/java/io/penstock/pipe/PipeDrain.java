package io.penstock.pipe;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One emptying of a response pipe: takes what is first into its hands, offers it to the outlet outside the pipe's lock, gives back what has
 * not left, and goes on until the pipe is empty and the outlet flushed, or the outlet takes or sends no more.
 *
 * <p>Thread: whoever holds the connection's write token; {@link #take} and {@link #giveBack} with the pipe's lock as well. Owns the
 * buffers of the write that is under way.
 */
final class PipeDrain {
    /** What a reactor sends of one file before it looks after its other clients. */
    private static final long REGION_TURN = 256 * 1024;

    private static final int GATHER = 16;
    private static final ByteBuffer[] NONE = new ByteBuffer[0];

    private final ResponsePipe pipe;

    // Either the first item, a region, or the buffers of the first segments and perhaps one more.
    private ByteBuffer[] gathered = NONE;
    private @Nullable FileRegion region;
    private int segments;

    // What the outlet has taken, of this write; how much of that was behind the pipe's; whether it has sent all that it
    // ever took.
    private long taken;
    private int takenBehind;
    private boolean flushed;

    PipeDrain(ResponsePipe pipe) {
        this.pipe = pipe;
    }

    /** As {@link ResponsePipe#drainTo} says. */
    boolean drainTo(PipeOutlet outlet, ByteBuffer behind) throws IOException {
        long regionBudget = REGION_TURN;
        while (pipe.beginDrain(this, behind)) {
            boolean left;
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
                pipe.endDrain(this);
            }
            if (!left) {
                return false;
            }
        }
        return flush(outlet);
    }

    /** An outlet may have something to send where the pipe has not. */
    private boolean flush(PipeOutlet outlet) throws IOException {
        boolean all = outlet.flush();
        if (all) {
            pipe.flushed();
        }
        return all;
    }

    /** Whether everything that was offered has been taken. */
    private boolean hasLeft() {
        FileRegion file = region;
        boolean all = file == null || file.remaining() == 0;
        for (ByteBuffer buffer : gathered) {
            all &= !buffer.hasRemaining();
        }
        return all;
    }

    /** Takes the first items, to be offered in one go. If that fails, for want of memory perhaps, nothing is taken. */
    void take(PipeContent content, ByteBuffer behind) {
        region = content.firstRegion();
        segments = region == null ? content.segments(GATHER) : 0;
        boolean follows = region == null && segments < GATHER && content.isAll(segments) && behind.hasRemaining();
        gathered = new ByteBuffer[follows ? segments + 1 : segments];
        content.gather(gathered, segments);
        if (follows) {
            gathered[segments] = behind;
        }
        content.drains(); // last: from here on what fails is given back
    }

    /** Gives them back, less what has left; returns whether bytes in memory have become fewer. */
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

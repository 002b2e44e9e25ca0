package io.penstock.pipe;

import java.nio.ByteBuffer;

/**
 * One buffer of the {@link SegmentPool}. The buffer is direct, or on the heap if the budget is used up. A segment has one owner at a time.
 * An owner that has passed the segment to another owner must not use the segment any more. The last owner releases the segment exactly
 * once.
 */
public interface Segment {

    /** The buffer of this segment. Only the owner changes the position and the limit of the buffer. */
    ByteBuffer buffer();

    /** Returns the buffer to the pool. A second call throws {@link IllegalStateException}. */
    void release();
}

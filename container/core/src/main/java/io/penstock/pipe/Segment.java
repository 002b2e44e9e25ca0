package io.penstock.pipe;

import java.nio.ByteBuffer;

/**
 * One buffer of the {@link SegmentPool}: direct, or on the heap if the budget is used up. It has one owner at a time. The former owner must
 * not use it after handing it on. It is released exactly once.
 */
public interface Segment {

    /** The memory; position and limit belong to the owner. */
    ByteBuffer buffer();

    /** Gives the memory back to the pool. A second call throws {@link IllegalStateException}. */
    void release();
}

package io.penstock.pipe;

/**
 * The memory of response pipes: the pool, and the bounds of each pipe. All response pipes of a server share this object. So a pipe needs
 * only one reference for the pool and the bounds.
 *
 * <p>Thread: any.
 */
public final class PipeMemory {
    private final SegmentPool pool;
    private final PipeBounds bounds;
    private final PipeBounds heldBack;

    public PipeMemory(SegmentPool pool, PipeBounds bounds) {
        this.pool = pool;
        this.bounds = bounds;
        this.heldBack = new PipeBounds(Math.min(pool.segmentSize(), bounds.assured()), bounds.assured());
    }

    SegmentPool pool() {
        return pool;
    }

    /** The number of bytes that each pipe may always hold. */
    int assured() {
        return bounds.assured();
    }

    /** The maximum number of bytes that a pipe may hold now. */
    int limit() {
        return pool.limit(bounds);
    }

    /** The maximum number of bytes that a writer may collect now; see {@link ResponsePipe#mayHoldBack}. */
    int heldBack() {
        return pool.limit(heldBack);
    }
}

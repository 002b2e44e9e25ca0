package io.penstock.pipe;

/**
 * The memory of response pipes: the pool, and the bounds of each pipe. All pipes of a server share this object, so a pipe holds one
 * reference to both.
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

    /** The bytes that each pipe may always hold. */
    int assured() {
        return bounds.assured();
    }

    /** The most bytes that a pipe may hold now. */
    int limit() {
        return pool.limit(bounds);
    }

    /** The most bytes that a writer may hold back now; see {@link ResponsePipe#mayHoldBack}. */
    int heldBack() {
        return pool.limit(heldBack);
    }
}

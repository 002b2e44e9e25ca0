package io.penstock.pipe;

import io.penstock.limits.Pipes;

/**
 * The limits for the number of bytes that a pipe may hold in memory.
 *
 * @param assured the number of bytes that the pipe may hold even if the other pipes are full, as long as the memory budget is not used up
 * @param most the number of bytes that the pipe may hold while enough memory is free; see {@link SegmentPool#limit}
 */
public record PipeBounds(int assured, int most) {

    public PipeBounds {
        if (assured < 1 || most < assured) {
            throw new IllegalArgumentException(assured + " to " + most);
        }
    }

    /** The bounds of a pipe with a fixed capacity. */
    public static PipeBounds fixed(int capacity) {
        return new PipeBounds(capacity, capacity);
    }

    public static PipeBounds of(Pipes pipes) {
        return new PipeBounds(pipes.assured(), pipes.capacity());
    }

    /** The bounds of the same pipe if it may not grow beyond its assured size. */
    public PipeBounds withoutGrowth() {
        return grows() ? fixed(assured) : this;
    }

    boolean grows() {
        return most > assured;
    }
}

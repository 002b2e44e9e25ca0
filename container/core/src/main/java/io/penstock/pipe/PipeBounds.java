package io.penstock.pipe;

import io.penstock.limits.Pipes;

/**
 * How many bytes a pipe may hold.
 *
 * @param assured bytes that the pipe may hold even if the other pipes are full, as long as the budget has any memory
 * @param most bytes that the pipe may hold while memory is plentiful; see {@link SegmentPool#limit}
 */
public record PipeBounds(int assured, int most) {

    public PipeBounds {
        if (assured < 1 || most < assured) {
            throw new IllegalArgumentException(assured + " to " + most);
        }
    }

    /** A pipe that never grows. */
    public static PipeBounds fixed(int capacity) {
        return new PipeBounds(capacity, capacity);
    }

    public static PipeBounds of(Pipes pipes) {
        return new PipeBounds(pipes.assured(), pipes.capacity());
    }

    /** The bounds of a pipe that does not grow, or no longer grows. */
    public PipeBounds withoutGrowth() {
        return grows() ? fixed(assured) : this;
    }

    boolean grows() {
        return most > assured;
    }
}

package io.penstock.limits;

import io.penstock.memory.DirectMemory;

/**
 * Limits on the memory of pipes, in bytes. A pipe is the buffer between a socket and a worker. Each request and each response has its own
 * pipe. {@link Key} explains the values.
 *
 * @param capacity the most bytes of one pipe. While the pipes use much of {@code budget}, the limit is lower, down to {@link #assured}
 */
public record Pipes(int capacity, int segment, long budget, long heads) {
    private static final int ASSURED_SEGMENTS = 4;

    public Pipes {
        Allowed.atLeast(Key.PIPE_CAPACITY, capacity, segment);
        Allowed.atLeast(Key.PIPE_BUDGET, budget, 4L * assured(capacity, segment));
        long most = DirectMemory.most();
        if (budget > most) {
            throw new BadValueException(
                    Key.PIPE_BUDGET,
                    "must be at most what this JVM allows outside the heap, " + ValueType.BYTES.show(most)
                            + " (-XX:MaxDirectMemorySize, or else -Xmx), not " + ValueType.BYTES.show(budget));
        }
    }

    /**
     * The bytes that a pipe may hold even while other pipes use much of the budget. This is the size of four segments, or the capacity if
     * that is less.
     */
    public int assured() {
        return assured(capacity, segment);
    }

    private static int assured(int capacity, int segment) {
        return (int) Math.min(capacity, (long) ASSURED_SEGMENTS * segment);
    }

    static Pipes of(Configuration given) {
        return new Pipes(
                given.bufferBytes(Key.PIPE_CAPACITY),
                given.bufferBytes(Key.PIPE_SEGMENT),
                given.bytes(Key.PIPE_BUDGET),
                given.bytes(Key.HEAD_BUDGET));
    }
}

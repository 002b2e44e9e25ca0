package io.penstock.limits;

/**
 * Memory between sockets and workers, in bytes.
 *
 * @param capacity the most bytes of a request pipe, and of a response pipe
 * @param segment size of the buffers that pipes are made of
 * @param budget the most bytes of all pipes of the server together
 * @param heads the most bytes of all large heads of requests together; a further one is answered 503
 */
public record Pipes(int capacity, int segment, long budget, long heads) {

    public Pipes {
        Check.atLeast(Key.PIPE_SEGMENT, segment, 1024);
        Check.atLeast(Key.PIPE_CAPACITY, capacity, segment);
        Check.atLeast(Key.PIPE_BUDGET, budget, 4L * capacity);
        fitsDirectMemory(budget);
        Check.atLeast(Key.HEAD_BUDGET, heads, 0);
    }

    private static void fitsDirectMemory(long budget) {
        long most = DirectMemory.most();
        if (budget > most) {
            throw new BadValueException(
                    Key.PIPE_BUDGET,
                    "must be at most what this JVM allows outside the heap, " + ValueType.BYTES.show(most)
                            + " (-XX:MaxDirectMemorySize, or else -Xmx), not " + ValueType.BYTES.show(budget));
        }
    }

    public static Pipes defaults() {
        return of(Configuration.defaults());
    }

    static Pipes of(Configuration given) {
        return new Pipes(
                given.bufferBytes(Key.PIPE_CAPACITY),
                given.bufferBytes(Key.PIPE_SEGMENT),
                given.bytes(Key.PIPE_BUDGET),
                given.bytes(Key.HEAD_BUDGET));
    }
}

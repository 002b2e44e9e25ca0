package io.penstock.limits;

/**
 * Memory between sockets and workers, in bytes.
 *
 * @param capacity what one request pipe, and one response pipe, holds at most
 * @param segment size of the buffers that pipes are made of
 * @param budget what all pipes of the server hold together
 */
public record Pipes(int capacity, int segment, long budget) {

    public Pipes {
        Check.atLeast(Key.PIPE_SEGMENT, segment, 1024);
        Check.atLeast(Key.PIPE_CAPACITY, capacity, segment);
        Check.atLeast(Key.PIPE_BUDGET, budget, 4L * capacity);
    }

    public static Pipes defaults() {
        return of(Configuration.defaults());
    }

    static Pipes of(Configuration given) {
        return new Pipes(
                given.bufferBytes(Key.PIPE_CAPACITY),
                given.bufferBytes(Key.PIPE_SEGMENT),
                given.bytes(Key.PIPE_BUDGET));
    }
}

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
        Check.atLeast("pipe-segment", segment, 1024);
        Check.atLeast("pipe-capacity", capacity, segment);
        Check.atLeast("pipe-budget", budget, 4L * capacity);
    }

    public static Pipes defaults() {
        return new Pipes(
                64 * 1024, 16 * 1024, Math.max(16L << 20, Runtime.getRuntime().maxMemory() / 4));
    }
}

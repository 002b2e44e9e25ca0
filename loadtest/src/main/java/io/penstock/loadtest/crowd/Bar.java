package io.penstock.loadtest.crowd;

/**
 * The target for a server with many slow clients. The p99 latency of normal requests with slow clients has two limits: three times the p99
 * without slow clients, and the p99 without slow clients plus five milliseconds. The larger limit applies.
 *
 * @param unloaded the p99 without slow clients, in microseconds
 * @param loaded the p99 with slow clients, in microseconds
 */
public record Bar(long unloaded, long loaded) {
    private static final long FACTOR = 3;
    private static final long ALLOWANCE = 5_000;

    /** The highest p99 with slow clients that meets the target, in microseconds. */
    public long allowed() {
        return Math.max(FACTOR * unloaded, unloaded + ALLOWANCE);
    }

    public boolean isMet() {
        return loaded <= allowed();
    }
}

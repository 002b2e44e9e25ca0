package io.penstock.loadtest.crowd;

/**
 * The limit for a server beside a crowd of slow clients: its p99 may be three times the p99 without the crowd, or five
 * milliseconds above it, whichever is more.
 *
 * @param unloaded p99 without the crowd, in microseconds
 * @param loaded p99 beside it, in microseconds
 */
public record Bar(long unloaded, long loaded) {
    private static final long FACTOR = 3;
    private static final long ALLOWANCE = 5_000;

    /** The highest loaded p99 that meets the bar, in microseconds. */
    public long allowed() {
        return Math.max(FACTOR * unloaded, unloaded + ALLOWANCE);
    }

    public boolean isMet() {
        return loaded <= allowed();
    }
}

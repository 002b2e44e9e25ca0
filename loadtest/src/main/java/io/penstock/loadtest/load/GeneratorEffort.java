package io.penstock.loadtest.load;

import org.HdrHistogram.Histogram;

/**
 * The cost of the load for the client. It shows whether the server was measured or the client.
 *
 * @param lag the nanoseconds by which the client itself was late for each request of an open loop: from the time when it was due
 *     until the client handled it, with or without a free connection; empty for a closed loop, where nothing is due
 * @param processors the part of one processor that the client's thread used during the measurement, at most 1; NaN if it is
 *     unknown
 */
public record GeneratorEffort(Histogram lag, double processors) {
    private static final double LIMIT = 0.9;

    /** The lag at this percentile, in milliseconds; NaN if nothing was due. */
    public double lagMillis(double percentile) {
        return lag.getTotalCount() == 0 ? Double.NaN : lag.getValueAtPercentile(percentile) / 1e6;
    }

    /** Whether the client's one thread was almost fully used: then the figures are those of the client. */
    public boolean isTheLimit() {
        return processors > LIMIT;
    }
}

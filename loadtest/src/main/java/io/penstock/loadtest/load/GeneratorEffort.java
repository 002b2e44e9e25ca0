package io.penstock.loadtest.load;

import org.HdrHistogram.Histogram;

/**
 * What the load has cost the client, which tells whether it was the server that was measured.
 *
 * @param lag by how many nanoseconds the client itself was late for each request of an open loop: from when it was due until
 *     the client came to it, whether or not there was a connection for it; empty for a closed loop, where nothing is due
 * @param processors what the client's thread used of one processor while it measured, 1 being all of it; NaN if it is unknown
 */
public record GeneratorEffort(Histogram lag, double processors) {
    private static final double LIMIT = 0.9;

    /** The lag that so many percent of the requests kept, in milliseconds; NaN if nothing was due. */
    public double lagMillis(double percentile) {
        return lag.getTotalCount() == 0 ? Double.NaN : lag.getValueAtPercentile(percentile) / 1e6;
    }

    /** Whether the client's one thread could hardly have done more: then the figures are the client's. */
    public boolean isTheLimit() {
        return processors > LIMIT;
    }
}

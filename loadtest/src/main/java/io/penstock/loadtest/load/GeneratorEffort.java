package io.penstock.loadtest.load;

import org.HdrHistogram.Histogram;

/**
 * The cost of the load for the client. If the client uses almost a whole processor, the results show the limit of the client, not of the
 * server.
 *
 * @param lag the delay of each request, in nanoseconds: the time from the moment at which the request was due until the client handled it.
 *     The wait for a free connection is not included. Only an open loop has requests that are due, so the histogram of a closed loop is
 *     empty
 * @param processors the share of one processor that the client's thread used during the measurement, at most 1; NaN if it is not known
 */
public record GeneratorEffort(Histogram lag, double processors) {
    private static final double LIMIT = 0.9;

    /** The lag at the given percentile, in milliseconds; NaN if no request was due. */
    public double lagMillis(double percentile) {
        return lag.getTotalCount() == 0 ? Double.NaN : lag.getValueAtPercentile(percentile) / 1e6;
    }

    /** Whether the client's thread used almost a whole processor. If so, the results show the limit of the client, not of the server. */
    public boolean isTheLimit() {
        return processors > LIMIT;
    }
}

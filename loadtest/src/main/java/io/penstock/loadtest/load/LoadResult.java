package io.penstock.loadtest.load;

import io.penstock.loadtest.client.Failure;
import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import org.HdrHistogram.Histogram;

/**
 * The results of all requests of a load, except for those of the warm-up. All times in the histograms are in nanoseconds.
 *
 * @param answered the number of requests that were answered with a status of 2xx
 * @param non2xx the number of requests that were answered with another status
 * @param statuses the number of responses for each status, including 2xx
 * @param failures the number of requests without a response, for each reason; a failed connection attempt counts as a request
 * @param unfinished the number of requests without a response when the load was stopped; no other count includes these requests
 * @param failedAttempts the number of failed connection attempts of a closed loop; this includes the warm-up
 * @param unserved the number of users of a closed loop that had no response with a status of 2xx
 * @param latency the latencies of the requests that were answered with 2xx; in an open loop they are counted from the time at which each
 *     request was due. For a request that reached its deadline, the deadline is recorded as its latency
 * @param connectLatency the times that were needed to make the connections; this includes the warm-up, in which most connections are made
 * @param elapsed the duration of the measurement
 * @param effort the cost of the load for the client
 * @param firstTrouble the first error; empty if there was none
 */
public record LoadResult(
        long answered,
        long non2xx,
        SortedMap<Integer, Long> statuses,
        Map<Failure, Long> failures,
        long unfinished,
        long failedAttempts,
        long unserved,
        Histogram latency,
        Histogram connectLatency,
        Duration elapsed,
        GeneratorEffort effort,
        String firstTrouble) {

    /** The number of requests that have ended, with or without a response. */
    public long requests() {
        return answered + non2xx + failed();
    }

    /** The number of requests without a response, for any reason. */
    public long failed() {
        return failures.values().stream().mapToLong(Long::longValue).sum();
    }

    /** The number of connection attempts that failed. */
    public long connectErrors() {
        return of(Failure.CONNECT_REFUSED)
                + of(Failure.CONNECT_TIMED_OUT)
                + of(Failure.CONNECT_FAILED)
                + of(Failure.NO_ROOM);
    }

    /** The number of requests whose connection failed before the response was complete. */
    public long socketErrors() {
        return of(Failure.RESET) + of(Failure.CLOSED_EARLY) + of(Failure.ABANDONED);
    }

    /** The number of requests that had no complete response at their deadline. */
    public long timeouts() {
        return of(Failure.DEADLINE);
    }

    /** The number of requests whose response was not valid HTTP. */
    public long badResponses() {
        return of(Failure.BAD_RESPONSE);
    }

    public boolean isAllAnswered() {
        return answered == requests();
    }

    /** The number of responses with a status of 2xx, per second. */
    public double perSecond() {
        return elapsed.isZero() ? 0 : answered / (elapsed.toNanos() / 1e9);
    }

    /** The {@link #latency} at the given percentile, in milliseconds; NaN if no latency was recorded. */
    public double millis(double percentile) {
        return millis(latency, percentile);
    }

    /** A percentile of a histogram of nanoseconds, in milliseconds; NaN if the histogram is empty. The percentile 100 is the maximum. */
    public static double millis(Histogram nanos, double percentile) {
        return nanos.getTotalCount() == 0 ? Double.NaN : nanos.getValueAtPercentile(percentile) / 1e6;
    }

    private long of(Failure failure) {
        return failures.getOrDefault(failure, 0L);
    }

    /**
     * The cost of the load for the client. If the client uses almost a whole processor, the results show the limit of the client, not of
     * the server.
     *
     * @param lag the delay of each request, in nanoseconds: the time from the moment at which the request was due until the client handled
     *     it. The wait for a free connection is not included. Only an open loop has requests that are due, so the histogram of a closed
     *     loop is empty
     * @param processors the share of one processor that the client's thread used during the measurement, at most 1; NaN if it is not known
     */
    public record GeneratorEffort(Histogram lag, double processors) {
        private static final double LIMIT = 0.9;

        /** The lag at the given percentile, in milliseconds; NaN if no request was due. */
        public double lagMillis(double percentile) {
            return millis(lag, percentile);
        }

        /**
         * Whether the client's thread used almost a whole processor. If so, the results show the limit of the client, not of the server.
         */
        public boolean isTheLimit() {
            return processors > LIMIT;
        }
    }
}

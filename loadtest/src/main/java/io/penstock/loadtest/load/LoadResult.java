package io.penstock.loadtest.load;

import io.penstock.loadtest.client.Failure;
import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import org.HdrHistogram.Histogram;

/**
 * The results of the requests that count. All times in the histograms are nanoseconds.
 *
 * @param answered with a status of 2xx
 * @param statuses the number of responses for each status, including 2xx
 * @param failures the number of requests without an answer, by reason; a failed attempt to connect counts as one
 * @param unfinished under way when the load was stopped; they are in no other count
 * @param latency of those answered with 2xx, in an open loop from the time at which each was due. A request without an answer by
 *     its deadline counts with the deadline
 * @param otherLatency of those answered with another status
 * @param connectLatency of all connections, including those of the warm-up, in which most are made
 * @param elapsed the time of the measurement
 * @param effort the cost for the client
 * @param firstTrouble the first error; empty if there was none
 */
public record LoadResult(
        long answered,
        SortedMap<Integer, Long> statuses,
        Map<Failure, Long> failures,
        long unfinished,
        Histogram latency,
        Histogram otherLatency,
        Histogram connectLatency,
        Duration elapsed,
        GeneratorEffort effort,
        String firstTrouble) {

    /** All requests that have ended, with or without an answer. */
    public long requests() {
        return answered + non2xx() + failed();
    }

    /** Answered with another status than 2xx. */
    public long non2xx() {
        return otherLatency.getTotalCount();
    }

    /** Not answered, for whatever reason. */
    public long failed() {
        return failures.values().stream().mapToLong(Long::longValue).sum();
    }

    /** No connection could be made. */
    public long connectErrors() {
        return of(Failure.CONNECT_REFUSED)
                + of(Failure.CONNECT_TIMED_OUT)
                + of(Failure.CONNECT_FAILED)
                + of(Failure.NO_ROOM);
    }

    /** The connection failed before the answer was complete. */
    public long socketErrors() {
        return of(Failure.RESET) + of(Failure.CLOSED_EARLY) + of(Failure.ABANDONED);
    }

    /** The deadline passed. */
    public long timeouts() {
        return of(Failure.DEADLINE);
    }

    /** The response was not valid HTTP. */
    public long badResponses() {
        return of(Failure.BAD_RESPONSE);
    }

    public boolean isAllAnswered() {
        return answered == requests();
    }

    /** Responses with 2xx per second. */
    public double perSecond() {
        return elapsed.isZero() ? 0 : answered / (elapsed.toNanos() / 1e9);
    }

    /** The {@link #latency} at that percentile, in milliseconds; NaN if there is none. */
    public double millis(double percentile) {
        return latency.getTotalCount() == 0 ? Double.NaN : latency.getValueAtPercentile(percentile) / 1e6;
    }

    private long of(Failure failure) {
        return failures.getOrDefault(failure, 0L);
    }
}

package io.penstock.loadtest.load;

import io.penstock.loadtest.client.Failure;
import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import org.HdrHistogram.Histogram;

/**
 * What became of the requests that were counted. All times in the histograms are nanoseconds.
 *
 * @param answered with a status of 2xx
 * @param statuses how often each status came, 2xx among them
 * @param failures how many requests were not answered, and why: a user that could not connect could not send one
 * @param unfinished under way when the load was stopped; nothing else counts them
 * @param latency of those answered with 2xx, in an open loop from the time at which each was due; one that was not answered by its
 *     deadline is in it with the deadline
 * @param otherLatency of those answered with another status
 * @param connectLatency of all connections that were made, those of the warm-up among them, as most are made then
 * @param elapsed from the first moment that counts to the last
 * @param effort what that has cost the client
 * @param firstTrouble what went wrong first; empty if nothing did
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

    /** All that came to an end, well or not. */
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

    /** The connection broke before the answer was complete. */
    public long socketErrors() {
        return of(Failure.RESET) + of(Failure.CLOSED_EARLY) + of(Failure.ABANDONED);
    }

    /** The deadline passed. */
    public long timeouts() {
        return of(Failure.DEADLINE);
    }

    /** What came was not HTTP. */
    public long badResponses() {
        return of(Failure.BAD_RESPONSE);
    }

    public boolean isAllAnswered() {
        return answered == requests();
    }

    /** Answered with 2xx in a second. */
    public double perSecond() {
        return elapsed.isZero() ? 0 : answered / (elapsed.toNanos() / 1e9);
    }

    /** The {@link #latency} that so many percent kept, in milliseconds; NaN if there is none. */
    public double millis(double percentile) {
        return latency.getTotalCount() == 0 ? Double.NaN : latency.getValueAtPercentile(percentile) / 1e6;
    }

    private long of(Failure failure) {
        return failures.getOrDefault(failure, 0L);
    }
}

package io.penstock.loadtest.compare.users;

import io.penstock.loadtest.client.Failure;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Counts the results of the requests for one content.
 *
 * <pre>
 *   OPEN ──> FROZEN
 * </pre>
 *
 * <p>Thread: the thread of the {@code ClientLoop} while the state is OPEN; after {@link #freeze}, the thread that called {@link
 * UserCrowd#freeze}.
 */
final class AnswerTally {
    private static final long LONGEST_NANOS = 3_600_000_000_000L;
    private static final int DIGITS = 3;

    private enum State {
        OPEN,
        FROZEN
    }

    private final Histogram latency = new Histogram(LONGEST_NANOS, DIGITS);
    private final Map<Failure, Long> failures = new EnumMap<>(Failure.class);
    private final BitSet served = new BitSet();
    private final long begun = System.nanoTime();
    private State state = State.OPEN;
    private long answers;
    private long refused;
    private long elapsed;

    void onAnswer(int user, int status, long nanos) {
        if (state == State.FROZEN) {
            return;
        }
        if (status / 100 == 2) {
            answers++;
            record(nanos);
            served.set(user);
        } else {
            refused++;
        }
    }

    /**
     * Records the waiting time so far of a request without a response. So the percentiles include requests that the server does not answer.
     */
    void onUnderWay(long nanos) {
        if (state == State.OPEN) {
            record(nanos);
        }
    }

    void onFailure(Failure failure) {
        if (state == State.OPEN) {
            failures.merge(failure, 1L, Long::sum);
        }
    }

    void freeze() {
        state = State.FROZEN;
        elapsed = System.nanoTime() - begun;
    }

    /** Whether nothing has been counted yet. */
    boolean isEmpty() {
        return answers() + troubles() == 0;
    }

    /** The number of responses with a status of 2xx. */
    long answers() {
        return answers;
    }

    double answersPerSecond() {
        return answers() / seconds();
    }

    double seconds() {
        return elapsed / 1e9;
    }

    /**
     * The percentile of the latency, in microseconds. For a request without a response at the end, the waiting time is used. NaN if there
     * was no response.
     */
    double micros(double percentile) {
        return answers() == 0 ? Double.NaN : latency.getValueAtPercentile(percentile) / 1e3;
    }

    private void record(long nanos) {
        latency.recordValue(Math.min(nanos, LONGEST_NANOS));
    }

    /** The number of users with at least one response. */
    int usersServed() {
        return served.cardinality();
    }

    /** The number of responses with a status other than 2xx, plus the number of connections that failed during a request. */
    long troubles() {
        return refused + failures.values().stream().mapToLong(Long::longValue).sum();
    }
}

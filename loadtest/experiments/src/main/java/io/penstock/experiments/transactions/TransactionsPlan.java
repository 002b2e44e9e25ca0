package io.penstock.experiments.transactions;

import io.penstock.loadtest.cli.DurationConverter;
import java.time.Duration;
import java.util.Locale;

/**
 * The plan of the comparison of both kinds of client.
 *
 * @param latencies the latencies of the third party
 * @param shape the calls of a transaction
 * @param blocking the threads of the blocking client
 * @param multiplexed the threads of the multiplexed client
 * @param deadline the deadline of each call
 * @param answerBytes the length of the body of an answer, in bytes
 * @param leadIn the time for which users run before each measured minute
 * @param minute the length of a measured minute; it can be shorter than 60 seconds
 * @param minutes the number of measured minutes for each kind of client
 */
record TransactionsPlan(
        Latencies latencies,
        TransactionShape shape,
        ThreadBudget blocking,
        ThreadBudget multiplexed,
        Duration deadline,
        int answerBytes,
        Duration leadIn,
        Duration minute,
        int minutes) {
    private static final int MOST_ANSWER_BYTES = 1 << 20;
    private static final Duration SHORTEST = Duration.ofMillis(10);

    TransactionsPlan {
        atLeast(deadline, "--deadline");
        atLeast(minute, "--minute");
        if (leadIn.isNegative()) {
            throw new IllegalArgumentException("--lead-in must not be below 0");
        }
        if (answerBytes < 0 || answerBytes > MOST_ANSWER_BYTES) {
            throw new IllegalArgumentException(
                    "--answer-bytes must be between 0 and " + MOST_ANSWER_BYTES + ", not " + answerBytes);
        }
        if (minutes < 1) {
            throw new IllegalArgumentException("--minutes must be at least 1, not " + minutes);
        }
    }

    ThreadBudget budget(Kind kind) {
        return kind == Kind.BLOCKING ? blocking : multiplexed;
    }

    /** A description of the plan for readers of the result. */
    String inWords() {
        return String.format(
                Locale.ROOT,
                "A transaction: %s1 booking; half of the calls are answered within %s, 99 of 100 within %s, deadline %s.%n"
                        + "%d threads for each client: blocking %s; multiplexed %s.",
                shape.suppliers() > 0 ? shape.suppliers() + " suppliers at the same time, then " : "",
                DurationConverter.text(latencies.median()),
                DurationConverter.text(latencies.p99()),
                DurationConverter.text(deadline),
                multiplexed.threads(),
                blocking,
                multiplexed);
    }

    private static void atLeast(Duration value, String option) {
        if (value.compareTo(SHORTEST) < 0) {
            throw new IllegalArgumentException(option + " must be at least 10 ms");
        }
    }
}

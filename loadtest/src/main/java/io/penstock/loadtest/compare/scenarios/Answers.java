package io.penstock.loadtest.compare.scenarios;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.HdrHistogram.Histogram;

/** The outcomes of the requests of one or more runs, with counts and percentiles. */
record Answers(List<Answer> all) {
    private static final long LONGEST_LATENCY = TimeUnit.MINUTES.toMicros(10);
    private static final int DIGITS = 3;
    private static final double MICROS_PER_MILLI = 1e3;

    Answers {
        all = List.copyOf(all);
    }

    /** Returns the requests of several runs as one object. */
    static Answers of(Collection<Answers> runs) {
        List<Answer> together = new ArrayList<>();
        runs.forEach(run -> together.addAll(run.all()));
        return new Answers(together);
    }

    int count() {
        return all.size();
    }

    long count(Predicate<Answer> which) {
        return all.stream().filter(which).count();
    }

    long good() {
        return count(Answer::isGood);
    }

    /**
     * The number of requests without a response. Requests that failed because of the deadline, or because no connection could be made, are
     * not counted.
     */
    long broken() {
        return count(answer -> answer.failure() != null && !answer.isTimeout() && !answer.isConnectError());
    }

    /**
     * The latencies of all requests, in microseconds. If a request has failed or was answered too late, the deadline is used as its
     * latency.
     */
    Histogram latenciesOfAll(Duration deadline) {
        Histogram latencies = new Histogram(LONGEST_LATENCY, DIGITS);
        long most = TimeUnit.NANOSECONDS.toMicros(deadline.toNanos());
        for (Answer answer : all) {
            long micros = TimeUnit.NANOSECONDS.toMicros(answer.latencyNanos());
            latencies.recordValue(Math.min(answer.isGood() ? Math.min(micros, most) : most, LONGEST_LATENCY));
        }
        return latencies;
    }

    /** The latencies of the selected requests, in microseconds. */
    Histogram latencies(Predicate<Answer> which) {
        Histogram latencies = new Histogram(LONGEST_LATENCY, DIGITS);
        all.stream()
                .filter(which)
                .mapToLong(answer -> TimeUnit.NANOSECONDS.toMicros(answer.latencyNanos()))
                .forEach(micros -> latencies.recordValue(Math.min(micros, LONGEST_LATENCY)));
        return latencies;
    }

    /** Stores a percentile in milliseconds. If there are no values, nothing is stored. The percentile 100 is the maximum. */
    static void put(Results.Round round, Measure column, Histogram micros, double percentile) {
        if (micros.getTotalCount() > 0) {
            round.put(column, micros.getValueAtPercentile(percentile) / MICROS_PER_MILLI);
        }
    }

    /** The error of the first request that failed; empty if no request has failed. */
    String firstTrouble() {
        return all.stream()
                .filter(answer -> !answer.isGood())
                .findFirst()
                .map(Answers::describe)
                .orElse("");
    }

    private static String describe(Answer answer) {
        return answer.failure() == null
                ? "status " + answer.status()
                : answer.failure().label();
    }
}

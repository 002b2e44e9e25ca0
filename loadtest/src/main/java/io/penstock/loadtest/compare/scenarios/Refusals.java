package io.penstock.loadtest.compare.scenarios;

import java.util.function.Predicate;
import org.HdrHistogram.Histogram;

/**
 * Classifies refusals by their latency, since clients see nothing else, and by the server's counts. A refusal that should come at
 * once may come so late that it counts as a refusal for age.
 *
 * <pre>
 *   at once     | outdated                     | for age
 *   ------------+------------------------------+--------------> latency
 *               as many as the server counts   age
 * </pre>
 */
final class Refusals {
    private final Answers answers;
    private final long ageNanos;
    private final long waitedNanos;

    /**
     * @param ageNanos the latency from which a refusal counts as one for age. The server refuses no request for this reason
     *     before that time
     * @param outdated how many waiting requests the server refused when it noticed the overload. These refusals have the longest
     *     latencies of all that are not for age
     */
    Refusals(Answers answers, long ageNanos, long outdated) {
        this.answers = answers;
        this.ageNanos = ageNanos;
        long[] latencies = answers.all().stream()
                .filter(answer -> answer.isRefusal() && answer.latencyNanos() < ageNanos)
                .mapToLong(Answer::latencyNanos)
                .sorted()
                .toArray();
        int first = (int) Math.max(0, latencies.length - outdated);
        this.waitedNanos = first < latencies.length ? latencies[first] : ageNanos;
    }

    /**
     * Refusals at once: these requests were not waiting when the server noticed the overload, and did not wait until they were
     * too old.
     */
    Part atOnce() {
        return part(0, waitedNanos);
    }

    /** Refusals of requests that were waiting when the server noticed the overload. */
    Part outdated() {
        return part(waitedNanos, ageNanos);
    }

    Part aged() {
        return part(ageNanos, Long.MAX_VALUE);
    }

    private Part part(long from, long to) {
        Predicate<Answer> which =
                answer -> answer.isRefusal() && answer.latencyNanos() >= from && answer.latencyNanos() < to;
        return new Part(answers.count(which), answers.latencies(which));
    }

    /**
     * Some of the refusals.
     *
     * @param micros their latencies in microseconds, which include the wait
     */
    record Part(long count, Histogram micros) {}
}

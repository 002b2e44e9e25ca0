package io.penstock.loadtest.compare.scenarios;

import java.util.function.Predicate;
import org.HdrHistogram.Histogram;

/**
 * Divides the refusals (responses with status 503) into three parts: refused at once, outdated, and refused for age. Outdated requests were
 * waiting when the server detected its overload, and were refused then. A client sees the latency of a refusal, but not its reason. So the
 * parts are ranges of latency. The server's count of outdated requests determines the size of the middle part. If a refusal at once arrives
 * very late, it can be counted in the last part.
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
     * @param ageNanos the maximum waiting time of a request; a refusal with at least this latency counts as a refusal for age
     * @param outdated the number of waiting requests that the server refused when it detected the overload; of all refusals with a latency
     *     below {@code ageNanos}, these have the longest latencies
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

    /** The requests that the server refused at once, without a wait in its queue. */
    Part atOnce() {
        return part(0, waitedNanos);
    }

    /** The requests that were waiting when the server detected the overload, and that it refused then. */
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
     * One of the three parts of the refusals.
     *
     * @param micros the latencies of these refusals in microseconds, including the waiting time
     */
    record Part(long count, Histogram micros) {}
}

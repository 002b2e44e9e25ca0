package io.penstock.loadtest.compare.scenarios;

import java.util.function.Predicate;
import org.HdrHistogram.Histogram;

/**
 * Refusals told apart by what a client sees of them, which is their time, and by what the server has counted. Later than its age may also
 * be one that was to be refused at once; then it counts against the age.
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
     * @param ageNanos from which on a refusal counts as one for its age: a server that lets requests wait until then refuses none of these
     *     for it before
     * @param outdated how many requests the server has refused that were waiting when it found that it was overloaded: the latest of those
     *     that are not refused for their age
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

    /** Of answers that were neither waiting when the server found that it was overloaded nor have waited until they were too old. */
    Part atOnce() {
        return part(0, waitedNanos);
    }

    /** Of those that were waiting when the server found that it was overloaded. */
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
     * @param micros their latencies in microseconds, what they have waited among them
     */
    record Part(long count, Histogram micros) {}
}

package io.penstock.loadtest.compare.scenarios;

import org.HdrHistogram.Histogram;

/**
 * Refusals told apart by their time, for a client cannot see more of them: a server that lets requests wait until they have an age
 * refuses none of these for it before. Later than that may also be one that was to be refused at once; then it counts against the
 * age.
 *
 * @param ageNanos from which on a refusal counts as one for its age
 */
record Refusals(Answers answers, long ageNanos) {

    long atOnceCount() {
        return answers.count(this::isAtOnce);
    }

    long agedCount() {
        return answers.count(this::isAged);
    }

    /** Latencies in microseconds. */
    Histogram atOnce() {
        return answers.latencies(this::isAtOnce);
    }

    /** Latencies in microseconds, the age among them. */
    Histogram aged() {
        return answers.latencies(this::isAged);
    }

    private boolean isAtOnce(Answer answer) {
        return answer.isRefusal() && answer.latencyNanos() < ageNanos;
    }

    private boolean isAged(Answer answer) {
        return answer.isRefusal() && answer.latencyNanos() >= ageNanos;
    }
}

package io.penstock.loadtest.slow;

import org.HdrHistogram.Histogram;

/**
 * What became of one run of steady requests.
 *
 * @param answered with a status below 400
 * @param refused answered with another status
 * @param failed not answered: the connection failed, or the deadline passed
 * @param firstTrouble what the first refusal or failure was; empty if there was none
 * @param latencies of what was answered, in microseconds from the moment at which the request was due
 */
record RunResult(int requests, int answered, int refused, int failed, String firstTrouble, Histogram latencies) {
    boolean isComplete() {
        return answered == requests;
    }
}

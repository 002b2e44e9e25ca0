package io.penstock.loadtest.starve;

import io.penstock.loadtest.client.Failure;
import io.penstock.loadtest.load.LoadResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The results of a number of normal requests.
 *
 * @param requests the number of requests
 * @param answered the number of requests that were answered with a status of 2xx within the deadline
 * @param p99Millis the 99th percentile of the latency, in milliseconds; NaN if no latency was recorded
 * @param others a text about the requests that were not answered with 2xx; empty if there were no such requests
 */
record Answered(long requests, long answered, double p99Millis, String others) {

    static Answered of(LoadResult result) {
        List<String> others = new ArrayList<>();
        result.statuses().forEach((status, count) -> {
            if (status < 200 || status > 299) {
                others.add(count + (status == 503 ? " refused with " : " answered with ") + status);
            }
        });
        result.failures()
                .forEach((failure, count) -> others.add(
                        count + " " + (failure == Failure.DEADLINE ? "not answered in time" : failure.label())));
        return new Answered(result.requests(), result.answered(), result.millis(99), String.join(", ", others));
    }

    /** Whether the server counts as stopped: less than half of the requests were answered. */
    boolean isStopped() {
        return 2 * answered < requests;
    }

    boolean isComplete() {
        return answered == requests;
    }

    /** The results as text, such as {@code 20 of 20 answered, p99 1.2 ms} or {@code 0 of 20 answered, 20 not answered in time}. */
    String describe() {
        String text = answered + " of " + requests + " answered";
        if (answered > 0) {
            text += String.format(Locale.ROOT, ", p99 %.1f ms", p99Millis);
        }
        return others.isEmpty() ? text : text + ", " + others;
    }
}

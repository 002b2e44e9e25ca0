package io.penstock.loadtest.starve;

import io.penstock.loadtest.client.Failure;
import io.penstock.loadtest.load.LoadResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The outcome of some normal requests.
 *
 * @param answered with 2xx within the deadline
 * @param p99Millis of those; NaN if there were none
 * @param others what happened to the others, in words; empty if there were none
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

    /** Whether the server has stopped answering: less than half of the requests were answered. */
    boolean isStopped() {
        return 2 * answered < requests;
    }

    boolean isComplete() {
        return answered == requests;
    }

    /** {@code 20 of 20 answered, p99 1.2 ms} or {@code 0 of 20 answered, 20 not answered in time}. */
    String describe() {
        String text = answered + " of " + requests + " answered";
        if (answered > 0) {
            text += String.format(Locale.ROOT, ", p99 %.1f ms", p99Millis);
        }
        return others.isEmpty() ? text : text + ", " + others;
    }
}

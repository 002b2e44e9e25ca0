package io.penstock.loadtest.compare;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.Failure;
import io.penstock.loadtest.load.OpenLoop;
import io.penstock.loadtest.load.OpenPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The outcome of each request of an open loop. */
record Answers(List<Answer> all) {
    private static final long LONGEST = TimeUnit.MINUTES.toNanos(10);

    /**
     * The result of one request.
     *
     * @param due the time at which the request was due, in nanoseconds since the first request was due
     * @param latency the time from {@code due} to the response or failure, in nanoseconds
     * @param status the status of the response; 0 if there was no response
     * @param failure the reason for which there was no response; null if there was a response
     */
    record Answer(
            long due, long latency, int status, @Nullable Failure failure) {
        boolean isGood() {
            return status >= 200 && status < 300;
        }

        /** Whether the server has refused the request, since it is overloaded. */
        boolean isRefusal() {
            return status == 503;
        }

        /** Whether the request was not sent, because no connection could be made. */
        boolean isConnectError() {
            return failure == Failure.CONNECT_REFUSED
                    || failure == Failure.CONNECT_TIMED_OUT
                    || failure == Failure.CONNECT_FAILED;
        }

        boolean isTimeout() {
            return failure == Failure.DEADLINE;
        }

        long end() {
            return due + latency;
        }
    }

    Answers {
        all = List.copyOf(all);
    }

    /** Starts an open loop, and records its requests. Thread: any. */
    static CompletableFuture<Answers> begin(ClientLoop loop, OpenPlan plan) {
        // Only the thread of the ClientLoop adds to this list. The result is completed after the last addition, so the
        // list needs no lock.
        List<Answer> answers = new ArrayList<>(Math.toIntExact(plan.requests()));
        OpenLoop load = new OpenLoop(
                loop, plan, (due, latency, status, failure) -> answers.add(new Answer(due, latency, status, failure)));
        return load.start().thenApply(result -> new Answers(answers));
    }

    long count(Predicate<Answer> which) {
        return all.stream().filter(which).count();
    }

    /** The number of the selected requests, in percent of all requests. */
    double percent(Predicate<Answer> which) {
        return all.isEmpty() ? 0 : 100.0 * count(which) / all.size();
    }

    /** The latencies of the selected requests, in nanoseconds. */
    Histogram latencies(Predicate<Answer> which) {
        Histogram latencies = new Histogram(LONGEST, 3);
        all.stream()
                .filter(which)
                .forEach(answer -> latencies.recordValue(Math.min(Math.max(0, answer.latency()), LONGEST)));
        return latencies;
    }
}

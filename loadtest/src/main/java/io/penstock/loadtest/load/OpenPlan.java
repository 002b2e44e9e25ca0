package io.penstock.loadtest.load;

import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.client.Require;
import java.time.Duration;

/**
 * The plan of an {@link OpenLoop}: requests that are due at a constant rate, even if earlier requests are not answered.
 *
 * @param rate the number of requests that are due per second
 * @param warmUpRequests the number of requests at the beginning that are not counted
 * @param requests the number of requests after the warm-up, which are counted
 * @param deadline the time limit for a response, counted from the time at which the request is due
 * @param maxConnections the maximum number of open connections; if a request waits for a free connection, this wait is part of its latency
 */
public record OpenPlan(
        Request request, double rate, long warmUpRequests, long requests, Duration deadline, int maxConnections) {

    public OpenPlan {
        Require.that(rate > 0 && rate <= 1e6, "rate must be more than 0 and at most 1000000 per second", rate);
        Require.that(warmUpRequests >= 0, "warm-up must not be negative", warmUpRequests);
        Require.that(requests >= 1, "there must be at least 1 request", requests);
        Require.positive(deadline, "deadline");
        Require.that(maxConnections >= 1, "connections must be at least 1", maxConnections);
    }

    /** Returns a plan with the given number of requests, a deadline of ten seconds, and at most 256 connections. */
    public static OpenPlan ofRequests(Request request, double rate, long requests) {
        return new OpenPlan(request, rate, 0, requests, Duration.ofSeconds(10), 256);
    }

    /** Returns a plan with as many requests as are due in the given time. */
    public static OpenPlan lasting(Request request, double rate, Duration duration) {
        return ofRequests(request, rate, Math.max(1, dueIn(duration, rate)));
    }

    public OpenPlan withRequests(long other) {
        return new OpenPlan(request, rate, warmUpRequests, other, deadline, maxConnections);
    }

    public OpenPlan withWarmUp(Duration time) {
        return new OpenPlan(request, rate, dueIn(time, rate), requests, deadline, maxConnections);
    }

    public OpenPlan withDeadline(Duration other) {
        return new OpenPlan(request, rate, warmUpRequests, requests, other, maxConnections);
    }

    public OpenPlan withMaxConnections(int other) {
        return new OpenPlan(request, rate, warmUpRequests, requests, deadline, other);
    }

    /** The planned time of the load: the number of all requests, divided by their rate. */
    public Duration duration() {
        return Duration.ofNanos(dueAfter(all()));
    }

    /** The maximum time of a run. It includes the deadline of the last request, and a margin. */
    public Duration patience() {
        return duration().plus(deadline).plusSeconds(30);
    }

    long all() {
        return warmUpRequests + requests;
    }

    /** The time at which a request is due, in nanoseconds after the first request. */
    long dueAfter(long index) {
        return (long) (index * 1e9 / rate);
    }

    private static long dueIn(Duration time, double rate) {
        return Math.round(time.toNanos() / 1e9 * rate);
    }
}

package io.penstock.loadtest.load;

import io.penstock.loadtest.client.Request;
import java.time.Duration;

/**
 * Requests that are due at a constant rate, independent of earlier ones.
 *
 * @param rate requests that are due per second
 * @param warmUpRequests the first ones, not counted
 * @param requests the ones after them, which count
 * @param deadline time limit for a response, from the time at which the request is due
 * @param maxConnections maximum number of open connections; the wait for a free one is part of a request's latency
 */
public record OpenPlan(
        Request request, double rate, long warmUpRequests, long requests, Duration deadline, int maxConnections) {

    public OpenPlan {
        Plans.require(rate > 0 && rate <= 1e6, "rate must be more than 0 and at most 1000000 per second", rate);
        Plans.require(warmUpRequests >= 0, "warm-up must not be negative", warmUpRequests);
        Plans.require(requests >= 1, "there must be at least 1 request", requests);
        Plans.requirePositive(deadline, "deadline");
        Plans.require(maxConnections >= 1, "connections must be at least 1", maxConnections);
    }

    /** This number of requests, with a deadline of ten seconds and at most 256 connections. */
    public static OpenPlan ofRequests(Request request, double rate, long requests) {
        return new OpenPlan(request, rate, 0, requests, Duration.ofSeconds(10), 256);
    }

    /** The number of requests that are due in that time. */
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

    /** From the first request to the moment at which one more would be due. */
    public Duration duration() {
        return Duration.ofNanos(dueAfter(all()));
    }

    /** The longest time that a run may take, its last deadline and a margin included. */
    public Duration patience() {
        return duration().plus(deadline).plusSeconds(30);
    }

    long all() {
        return warmUpRequests + requests;
    }

    /** When a request is due, in nanoseconds after the first. */
    long dueAfter(long index) {
        return (long) (index * 1e9 / rate);
    }

    private static long dueIn(Duration time, double rate) {
        return Math.round(time.toNanos() / 1e9 * rate);
    }
}

package io.penstock.loadtest.load;

import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.client.Require;
import java.time.Duration;
import java.util.List;

/**
 * The plan of a {@link ClosedLoop}. Each user sends a request, waits for the response, pauses (the think time), and sends the next request.
 * Responses are counted from the end of the warm-up. If the warm-up is shorter than the ramp-up, some users start during the measurement.
 *
 * @param requests the requests to one server; the users take turns in them, and each user repeats its own
 * @param users the number of users; each keeps one connection open
 * @param think the pause of a user between a response and the next request; 0, or whole milliseconds
 * @param rampUp the time within which the users start, one after the other; with 0 all users start at once
 * @param warmUp the time from the start of the first user to the beginning of the measurement
 * @param duration the duration of the measurement
 * @param deadline the time limit for a response; after this time the request counts as not answered, and its connection is closed
 * @param pipelining the number of requests that a user sends before it waits for the responses
 */
public record ClosedPlan(
        List<Request> requests,
        int users,
        Duration think,
        Duration rampUp,
        Duration warmUp,
        Duration duration,
        Duration deadline,
        int pipelining) {

    public ClosedPlan {
        requests = List.copyOf(requests);
        Require.that(!requests.isEmpty(), "there must be at least 1 request", requests);
        Require.that(users >= 1, "users must be at least 1", users);
        Require.notNegative(think, "think time");
        Require.that(think.toNanosPart() % 1_000_000 == 0, "think time must be in whole milliseconds", think);
        Require.notNegative(rampUp, "ramp-up");
        Require.notNegative(warmUp, "warm-up");
        Require.positive(duration, "duration");
        Require.positive(deadline, "deadline");
        Require.that(pipelining >= 1, "pipelining must be at least 1 request", pipelining);
    }

    /** Returns a plan in which all users start at once, without think time or warm-up. The deadline of a request is ten seconds. */
    public static ClosedPlan of(Request request, int users, Duration duration) {
        return new ClosedPlan(
                List.of(request),
                users,
                Duration.ZERO,
                Duration.ZERO,
                Duration.ZERO,
                duration,
                Duration.ofSeconds(10),
                1);
    }

    /** Returns such a plan in which each user has its own request. */
    public static ClosedPlan each(List<Request> requests, Duration duration) {
        ClosedPlan plan = of(requests.get(0), requests.size(), duration);
        return new ClosedPlan(
                requests,
                plan.users,
                plan.think,
                plan.rampUp,
                plan.warmUp,
                plan.duration,
                plan.deadline,
                plan.pipelining);
    }

    public ClosedPlan withThink(Duration other) {
        return new ClosedPlan(requests, users, other, rampUp, warmUp, duration, deadline, pipelining);
    }

    public ClosedPlan withRampUp(Duration other) {
        return new ClosedPlan(requests, users, think, other, warmUp, duration, deadline, pipelining);
    }

    public ClosedPlan withWarmUp(Duration other) {
        return new ClosedPlan(requests, users, think, rampUp, other, duration, deadline, pipelining);
    }

    public ClosedPlan withDeadline(Duration other) {
        return new ClosedPlan(requests, users, think, rampUp, warmUp, duration, other, pipelining);
    }

    public ClosedPlan withPipelining(int other) {
        return new ClosedPlan(requests, users, think, rampUp, warmUp, duration, deadline, other);
    }
}

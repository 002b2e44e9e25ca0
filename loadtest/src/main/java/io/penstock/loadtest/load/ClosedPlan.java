package io.penstock.loadtest.load;

import io.penstock.loadtest.client.Request;
import java.time.Duration;

/**
 * Users that send a request, wait for its answer, think, and send the next. Answers count from the end of the warm-up on. If the
 * warm-up is shorter than the ramp-up, the measurement includes the arrival of users.
 *
 * @param users number of users; each keeps one connection open
 * @param think a user's pause between an answer and the next request: 0, or whole milliseconds
 * @param rampUp the time within which the users start, one after the other; 0: all at once
 * @param warmUp from the first user on, not counted
 * @param duration of the measurement
 * @param deadline time limit for a response; after it the request counts as not answered, and its connection is closed
 * @param pipelining number of requests that a user sends before it waits for the answers
 */
public record ClosedPlan(
        Request request,
        int users,
        Duration think,
        Duration rampUp,
        Duration warmUp,
        Duration duration,
        Duration deadline,
        int pipelining) {

    public ClosedPlan {
        Plans.require(users >= 1, "users must be at least 1", users);
        Plans.requireNotNegative(think, "think time");
        Plans.require(think.toNanosPart() % 1_000_000 == 0, "think time must be in whole milliseconds", think);
        Plans.requireNotNegative(rampUp, "ramp-up");
        Plans.requireNotNegative(warmUp, "warm-up");
        Plans.requirePositive(duration, "duration");
        Plans.requirePositive(deadline, "deadline");
        Plans.require(pipelining >= 1, "pipelining must be at least 1 request", pipelining);
    }

    /** All users at once, without thinking or warm-up, ten seconds for each request. */
    public static ClosedPlan of(Request request, int users, Duration duration) {
        return new ClosedPlan(
                request, users, Duration.ZERO, Duration.ZERO, Duration.ZERO, duration, Duration.ofSeconds(10), 1);
    }

    public ClosedPlan withThink(Duration other) {
        return new ClosedPlan(request, users, other, rampUp, warmUp, duration, deadline, pipelining);
    }

    public ClosedPlan withRampUp(Duration other) {
        return new ClosedPlan(request, users, think, other, warmUp, duration, deadline, pipelining);
    }

    public ClosedPlan withWarmUp(Duration other) {
        return new ClosedPlan(request, users, think, rampUp, other, duration, deadline, pipelining);
    }

    public ClosedPlan withDeadline(Duration other) {
        return new ClosedPlan(request, users, think, rampUp, warmUp, duration, other, pipelining);
    }

    public ClosedPlan withPipelining(int other) {
        return new ClosedPlan(request, users, think, rampUp, warmUp, duration, deadline, other);
    }
}

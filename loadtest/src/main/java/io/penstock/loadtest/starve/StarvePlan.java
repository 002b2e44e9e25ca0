package io.penstock.loadtest.starve;

import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.load.OpenPlan;
import java.time.Duration;
import java.util.List;

/**
 * What is tried.
 *
 * @param normal what normal requests ask for
 * @param requests normal ones of a step
 * @param rate of them, a second
 * @param deadline when one counts as not answered
 * @param connections for them, at most
 * @param first slow clients of the first step
 * @param limits on what the slow clients do
 */
record StarvePlan(
        Target normal,
        SlowKind.Manner manner,
        List<SlowKind> kinds,
        int requests,
        int rate,
        Duration deadline,
        int connections,
        int first,
        Bounds.Limits limits) {
    private static final int ALONE_FACTOR = 10;

    StarvePlan {
        kinds = List.copyOf(kinds);
    }

    /** The normal requests of one step. */
    OpenPlan step() {
        return OpenPlan.ofRequests(Request.get(normal), rate, requests)
                .withDeadline(deadline)
                .withMaxConnections(connections);
    }

    /** More of them, without slow clients. */
    OpenPlan alone() {
        return step().withRequests((long) requests * ALONE_FACTOR);
    }
}

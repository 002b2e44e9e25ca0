package io.penstock.loadtest.starve;

import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.load.OpenPlan;
import java.time.Duration;
import java.util.List;

/**
 * The plan of a search for the number of slow clients at which normal requests fail.
 *
 * @param normal the target of normal requests
 * @param requests number of normal requests of a step
 * @param rate of normal requests, per second
 * @param deadline time limit for the response to a normal request
 * @param connections maximum number of connections for normal requests
 * @param first number of slow clients of the first step
 * @param limits the bounds of the search: the most slow clients at a time, their bytes, and the time
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

    /** A larger number of normal requests, without slow clients. */
    OpenPlan alone() {
        return step().withRequests((long) requests * ALONE_FACTOR);
    }
}

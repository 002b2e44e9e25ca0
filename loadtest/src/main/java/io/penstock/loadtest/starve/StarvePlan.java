package io.penstock.loadtest.starve;

import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.crowd.SlowClient;
import io.penstock.loadtest.load.OpenPlan;
import java.time.Duration;
import java.util.List;

/**
 * The plan of a search for the number of slow clients at which normal requests fail.
 *
 * @param normal the target of normal requests
 * @param upload the target of slow uploads
 * @param large the target of slow readers, which has a large response
 * @param speed the speed of the slow clients
 * @param kinds the kinds of slow clients to try
 * @param requests the number of normal requests of a step
 * @param rate the number of normal requests per second
 * @param deadline the time limit for the response to a normal request
 * @param connections the maximum number of connections for normal requests
 * @param first the number of slow clients in the first step
 * @param limits the bounds of the search: the maximum number of slow clients, their bytes, and the time
 */
record StarvePlan(
        Target normal,
        Target upload,
        Target large,
        SlowClient.Manner speed,
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

    /** The requests of slow clients of a kind, and their speed. */
    SlowClient.Manner manner(SlowKind kind) {
        return speed.at(kind.isUpload() ? upload : kind.isReader() ? large : normal);
    }

    /** The plan of the normal requests of one step. */
    OpenPlan step() {
        return OpenPlan.ofRequests(Request.get(normal), rate, requests)
                .withDeadline(deadline)
                .withMaxConnections(connections);
    }

    /** The plan of the normal requests without slow clients. It has more requests than a step. */
    OpenPlan alone() {
        return step().withRequests((long) requests * ALONE_FACTOR);
    }
}

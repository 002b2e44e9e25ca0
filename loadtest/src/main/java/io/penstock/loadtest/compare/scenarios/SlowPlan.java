package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.client.ClientSettings;
import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerOptions;
import java.time.Duration;

/**
 * The normal requests of a scenario with slow clients, and how both sides are set up for it.
 *
 * @param rate normal requests due in a second
 * @param requests beside the slow clients, in all slices together
 * @param alone without them, in all slices together
 * @param slices in how many pairs of runs, one without the slow clients and one beside them
 * @param warmUp requests before the first run, not counted
 * @param deadline when a request counts as not answered
 * @param connections for the normal requests, at most
 * @param pool threads of each tuned server that has a pool for its servlets; Penstock keeps its workers, Tomcat 7 its thread
 *     for each connection
 * @param receiveBuffer bytes of each slow client's receive buffer
 * @param sendBuffer bytes of each slow client's send buffer
 * @param toGather how long the slow clients may take to come
 */
record SlowPlan(
        int rate,
        int requests,
        int alone,
        int slices,
        int warmUp,
        Duration deadline,
        int connections,
        int pool,
        int receiveBuffer,
        int sendBuffer,
        Duration toGather) {
    private static final int WARM_UP_FACTOR = 5;
    /** The first answers of a JVM that has just started take long on a busy machine, and do not count. */
    private static final Duration PATIENCE_WITH_COLD_SERVER = Duration.ofSeconds(20);

    SlowPlan {
        if (slices < 1 || requests < slices || alone < slices) {
            throw new IllegalArgumentException("Each slice needs a request: " + requests
                    + " beside the slow clients and " + alone + " without them, in " + slices + " slices");
        }
    }

    ConstantRate besideCrowd(Target target) {
        return new ConstantRate(target, rate, requests / slices, deadline, connections);
    }

    ConstantRate alone(Target target) {
        return besideCrowd(target).ofRequests(alone / slices);
    }

    ConstantRate warmUp(Target target) {
        return new ConstantRate(target, rate * WARM_UP_FACTOR, warmUp, PATIENCE_WITH_COLD_SERVER, connections);
    }

    ClientSettings normalClients() {
        return ClientSettings.defaults().withMaxConnections(connections);
    }

    ClientSettings slowClients(int size) {
        return ClientSettings.defaults()
                .withMaxConnections(Math.max(1, size))
                .withSocketBuffers(receiveBuffer, sendBuffer);
    }

    ServerOptions options(Server server, ServerOptions common) {
        boolean pooled = server.hasPool() && server.settings() == Server.Settings.TUNED;
        return pooled ? common.withWorkers(pool) : common;
    }
}

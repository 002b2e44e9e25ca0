package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.client.ClientSettings;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.load.OpenPlan;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerOptions;
import java.time.Duration;

/**
 * The normal requests of a scenario with slow clients, and the settings of both sides.
 *
 * @param rate normal requests due in a second
 * @param requests normal requests beside slow clients, in all slices together
 * @param alone normal requests without slow clients, in all slices together
 * @param slices number of pairs of runs, one without the slow clients and one beside them
 * @param warmUp requests before the first run, not counted
 * @param deadline time limit for a response; after it the request counts as not answered
 * @param connections for the normal requests, at most
 * @param sockets the buffers of the sockets
 * @param servers how the servers are set up
 * @param toGather time limit for all slow clients to connect
 */
record SlowPlan(
        int rate,
        int requests,
        int alone,
        int slices,
        int warmUp,
        Duration deadline,
        int connections,
        Sockets sockets,
        Servers servers,
        Duration toGather) {
    private static final int WARM_UP_FACTOR = 5;
    /**
     * The time at the start of a run over TLS in which the connections are made. The handshakes of normal clients are not
     * measured, since each costs both sides more than many requests.
     */
    static final Duration TO_CONNECT = Duration.ofSeconds(2);
    /** The first responses of a JVM that has just started take long on a busy machine, and do not count. */
    private static final Duration PATIENCE_WITH_COLD_SERVER = Duration.ofSeconds(20);
    /** The memory of a JVM in addition to heap and pipes: code, classes, stacks, and the collector's memory. */
    private static final long BESIDE_HEAP_AND_PIPES = 256L << 20;

    /**
     * Bytes of sockets' buffers. They are small, since otherwise the kernel would buffer for the slow clients.
     *
     * @param receive of each slow client
     * @param send of each slow client
     * @param serversSend of the server, for every client
     */
    record Sockets(int receive, int send, int serversSend) {}

    /**
     * The settings of the servers, except of those with their own defaults.
     *
     * @param pool threads of each server that has a pool for its servlets; Penstock keeps its workers, Tomcat 7 its thread for
     *     each connection
     * @param pipeBudget bytes that all pipes of Penstock may hold together
     */
    record Servers(int pool, int pipeBudget) {}

    SlowPlan {
        if (slices < 1 || requests < slices || alone < slices) {
            throw new IllegalArgumentException("Each slice needs a request: " + requests
                    + " beside the slow clients and " + alone + " without them, in " + slices + " slices");
        }
    }

    OpenPlan besideCrowd(Target target, Transport transport) {
        int notCounted = transport == Transport.TLS ? Math.toIntExact(rate * TO_CONNECT.toSeconds()) : 0;
        return new OpenPlan(Request.get(target), rate, notCounted, requests / slices, deadline, connections);
    }

    OpenPlan alone(Target target, Transport transport) {
        return besideCrowd(target, transport).withRequests(alone / slices);
    }

    OpenPlan warmUp(Target target) {
        return new OpenPlan(
                Request.get(target), rate * WARM_UP_FACTOR, 0, warmUp, PATIENCE_WITH_COLD_SERVER, connections);
    }

    ClientSettings normalClients() {
        return ClientSettings.defaults().withMaxConnections(connections).withConnectTimeout(PATIENCE_WITH_COLD_SERVER);
    }

    ClientSettings slowClients(int size) {
        return ClientSettings.defaults()
                .withMaxConnections(Math.max(1, size))
                .withSocketBuffers(sockets.receive(), sockets.send());
    }

    /** Fast clients of the pooled servlet. */
    ClientSettings fastClients(int size) {
        return ClientSettings.defaults().withMaxConnections(size);
    }

    ServerOptions options(Server server, ServerOptions common) {
        ServerOptions options = common.withSendBuffer(sockets.serversSend());
        if (server.settings() != Server.Settings.TUNED) {
            return options;
        }
        if (server.isPenstock()) {
            return options.with("pipe-budget", Integer.toString(servers.pipeBudget()));
        }
        return server.hasPool() ? options.withWorkers(servers.pool()) : options;
    }

    /**
     * The most resident memory that meets the bar, in bytes. It includes the budget of pipes for every server, even without
     * pipes.
     */
    long residentAllowed(long heapBytes) {
        return heapBytes + servers.pipeBudget() + BESIDE_HEAP_AND_PIPES;
    }
}

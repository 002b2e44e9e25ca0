package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.client.ClientSettings;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.load.OpenPlan;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerOptions;
import java.time.Duration;

/**
 * The plan of a {@link SlowScenario}: the normal requests, and the settings of clients and servers.
 *
 * @param rate the number of normal requests per second
 * @param requests the number of normal requests with slow clients, in all slices together
 * @param alone the number of normal requests without slow clients, in all slices together
 * @param slices the number of slices; a slice is a pair of runs, one without and one with slow clients
 * @param warmUp the number of requests before the first run, which are not counted
 * @param deadline the time limit for a response; a request without a response within this time counts as not answered
 * @param connections the maximum number of connections for normal requests
 * @param sockets the sizes of the socket buffers
 * @param servers the settings of the servers
 * @param toGather the time limit for connecting all slow clients; after it, the run starts with the clients that are connected
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
     * The time at the start of a run over TLS in which the connections are made. Requests in this time are not counted, since a handshake
     * costs client and server more than many requests.
     */
    static final Duration TO_CONNECT = Duration.ofSeconds(2);
    /**
     * The time limit for a response during the warm-up. On a busy machine, the first responses of a new JVM take long. The requests of the
     * warm-up are not counted.
     */
    private static final Duration PATIENCE_WITH_COLD_SERVER = Duration.ofSeconds(20);
    /**
     * The memory that a server may use in addition to heap and pipes: code, classes, stacks, and memory of the garbage collector. In bytes.
     */
    private static final long BESIDE_HEAP_AND_PIPES = 256L << 20;

    /**
     * The sizes of socket buffers, in bytes. They are small, since large buffers in the kernel would hide that a client is slow.
     *
     * @param receive the size of each slow client's receive buffer
     * @param send the size of each slow client's send buffer
     * @param serversSend the size of the server's send buffer for each client
     */
    record Sockets(int receive, int send, int serversSend) {}

    /**
     * The settings of the servers. They do not apply to servers with their own default settings.
     *
     * @param pool the number of threads of each server with a thread pool; it does not apply to Penstock, nor to Tomcat 7, which has one
     *     thread for each connection
     * @param pipeBudget the maximum number of bytes in all pipes of Penstock together; a pipe buffers the body of a request or response
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

    /** The settings of fast clients that send requests to the servlet with a limited number of permits. */
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
     * The maximum of resident memory that is allowed for a server, in bytes. The maximum includes the pipe budget for every server, even if
     * the server has no pipes.
     */
    long residentAllowed(long heapBytes) {
        return heapBytes + servers.pipeBudget() + BESIDE_HEAP_AND_PIPES;
    }
}

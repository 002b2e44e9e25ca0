package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.crowd.CrowdPlan;
import io.penstock.loadtest.peers.ServerProcess;
import java.util.function.Function;

/**
 * The slow clients beside the normal requests in one part of a scenario.
 *
 * @param name in a few words, such as {@code 400 slow uploads}
 * @param size number of them
 * @param files that a server may hold open for the clients in addition to sockets: bodies and responses on disk, and files
 *     that are sent
 * @param ownWork the request with which a fast client measures the servlet's own time; empty if that is not measured
 * @param at the crowd for a server that has started
 * @param transport of all clients
 */
record Company(
        String name, int size, int files, String ownWork, Function<ServerProcess, CrowdPlan> at, Transport transport) {

    /** Without TLS. */
    Company(String name, int size, int files, String ownWork, Function<ServerProcess, CrowdPlan> at) {
        this(name, size, files, ownWork, at, Transport.PLAIN);
    }

    /** For parts in which the servlet's own work does not matter. */
    static Company of(String name, int size, int files, Function<ServerProcess, CrowdPlan> at) {
        return new Company(name, size, files, "", at);
    }

    Company over(Transport other) {
        return new Company(name + other.suffix(), size, files, ownWork, at, other);
    }
}

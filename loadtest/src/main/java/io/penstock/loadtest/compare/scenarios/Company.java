package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.crowd.CrowdPlan;
import io.penstock.loadtest.peers.ServerProcess;
import java.util.function.Function;

/**
 * A group of slow clients in a {@link SlowScenario}. They are connected while normal requests are measured.
 *
 * @param name a short description of the group, such as {@code 400 slow uploads}
 * @param size the number of slow clients
 * @param files the maximum number of files that a server has open for the clients, in addition to sockets; these are bodies and responses
 *     on disk, and files that are sent
 * @param ownWork the path of the request with which fast clients measure the time that the servlet itself needs; empty if this time is not
 *     measured
 * @param at a function that returns the plan of the slow clients for a server that has started
 * @param transport the transport of all clients: with or without TLS
 */
record Company(
        String name, int size, int files, String ownWork, Function<ServerProcess, CrowdPlan> at, Transport transport) {

    /** Creates a group without TLS. */
    Company(String name, int size, int files, String ownWork, Function<ServerProcess, CrowdPlan> at) {
        this(name, size, files, ownWork, at, Transport.PLAIN);
    }

    /** Creates a group without TLS for which the time of the servlet itself is not measured. */
    static Company of(String name, int size, int files, Function<ServerProcess, CrowdPlan> at) {
        return new Company(name, size, files, "", at);
    }

    Company over(Transport other) {
        return new Company(name + other.suffix(), size, files, ownWork, at, other);
    }
}

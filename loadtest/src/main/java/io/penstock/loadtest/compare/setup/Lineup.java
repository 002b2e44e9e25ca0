package io.penstock.loadtest.compare.setup;

import io.penstock.loadtest.peers.JavaVersion;
import io.penstock.loadtest.peers.Server;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The servers that are compared, and those that the JVM cannot run.
 *
 * @param servers in the order in which they take turns in the first round
 * @param leftOut one sentence for each requested server that cannot run
 * @param java the Java version of all of them
 */
public record Lineup(List<Server> servers, List<String> leftOut, JavaVersion java) {
    public Lineup {
        servers = List.copyOf(servers);
        leftOut = List.copyOf(leftOut);
    }

    static Lineup of(List<Server> wished, JavaVersion java) {
        List<Server> servers = new ArrayList<>();
        List<String> leftOut = new ArrayList<>();
        for (Server server : wished) {
            if (server.runsOn(java.feature())) {
                servers.add(server);
            } else {
                leftOut.add(server.id() + " is left out: virtual threads need Java " + Server.VIRTUAL_SINCE
                        + " or newer, and this is " + java.text() + " (name another with --java)");
            }
        }
        return new Lineup(servers, leftOut, java);
    }

    /** The first Penstock, which the others are compared with. */
    public Optional<Server> firstPenstock() {
        return servers.stream().filter(Server::isPenstock).findFirst();
    }

    /**
     * The servers in their order in that round. Every round begins with another server, so no server always has its turn after
     * the same other server.
     *
     * @param round counted from 1
     */
    public List<Server> inRound(int round) {
        List<Server> turned = new ArrayList<>(servers);
        Collections.rotate(turned, 1 - round);
        return turned;
    }
}

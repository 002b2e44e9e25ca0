package io.penstock.loadtest.compare;

import io.penstock.loadtest.peers.JvmSettings;
import io.penstock.loadtest.peers.JvmSettings.JavaVersion;
import io.penstock.loadtest.peers.PeersFolder;
import io.penstock.loadtest.peers.Server;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of one run of a comparison.
 *
 * @param works the works to measure, in their order
 * @param client the name of the client that sends requests without pauses; see {@link Client}
 * @param settings additional settings of Penstock
 */
record Setup(
        Comparison comparison,
        List<Work> works,
        Sizes sizes,
        Lineup lineup,
        PeersFolder peers,
        JvmSettings jvm,
        String client,
        Map<String, String> settings) {
    Setup {
        works = List.copyOf(works);
        settings = Map.copyOf(settings);
    }

    /** Returns the same settings with other works, for a report. */
    Setup showing(List<Work> shown) {
        return new Setup(comparison, shown, sizes, lineup, peers, jvm, client, settings);
    }

    /** The number of turns, except for repetitions. */
    int turns() {
        return sizes.rounds()
                * works.stream()
                        .mapToInt(work -> work.extra().size()
                                + (int) lineup.servers().stream()
                                        .filter(work.job()::fits)
                                        .count())
                        .sum();
    }

    /**
     * The servers that are compared, and the reasons for which other requested servers are left out.
     *
     * @param servers the servers, in the order in which they are measured in the first round
     * @param leftOut one sentence for each requested server that is left out
     * @param java the Java version of all servers
     */
    record Lineup(List<Server> servers, List<String> leftOut, JavaVersion java) {
        Lineup {
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

        /** The first Penstock in the list. Its results are compared with the results of the other servers. */
        Optional<Server> firstPenstock() {
            return servers.stream().filter(Server::isPenstock).findFirst();
        }

        /**
         * The servers, in the order in which they are measured in the given round. Every round begins with another server.
         *
         * @param round the number of the round, counted from 1
         */
        List<Server> inRound(int round) {
            List<Server> turned = new ArrayList<>(servers);
            Collections.rotate(turned, 1 - round);
            return turned;
        }
    }
}

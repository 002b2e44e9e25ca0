package io.penstock.loadtest.compare;

import io.penstock.loadtest.peers.JvmSettings;
import io.penstock.loadtest.peers.PeersFolder;
import java.util.List;
import java.util.Map;

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

    /** Returns the same settings with other servers. */
    Setup among(Lineup others) {
        return new Setup(comparison, works, sizes, others, peers, jvm, client, settings);
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
}

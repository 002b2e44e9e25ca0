package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.compare.setup.Lineup;
import io.penstock.loadtest.peers.Server;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The options of {@code compare eyes}. */
@Command(
        name = "eyes",
        description = {
            "What it costs Penstock to be looked at: metrics, flow board, access log, Server-Timing, Flight Recorder, each alone"
                    + " and all together, against all of it off.",
            "wrk must be installed. Other servers are left out."
        },
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        defaultValueProvider = OtherDefaults.One.class,
        sortOptions = false)
public final class EyesCommand extends ScenarioCommand {
    @Option(names = "--connections", paramLabel = "N", description = "Connections of wrk.")
    private int connections = 256;

    @Option(names = "--threads", paramLabel = "N", description = "Threads of wrk.")
    private int threads = 1;

    @Option(names = "--turns", paramLabel = "N", description = "Pairs of turns for each row; 8 if absent.")
    private @Nullable Integer turns;

    @Option(names = "--seconds", paramLabel = "N", description = "Seconds of each turn; 2 if absent.")
    private @Nullable Integer seconds;

    @Option(names = "--warm-up", paramLabel = "N", description = "Seconds of load before the first turn; 6 if absent.")
    private @Nullable Integer warmUp;

    @Option(
            names = "--eyes",
            paramLabel = "NAME",
            split = ",",
            description =
                    "What is switched on, in this order: nothing, metrics, scraped, followed, access-log, server-timing, flight, unwatched, all,"
                            + " recorded-jvm, recorded, all-recorded; all of them if absent.")
    private List<String> eyes = List.of();

    @Override
    List<Server> usual() {
        return List.of(Server.PENSTOCK);
    }

    /** What is switched here has other names elsewhere. */
    @Override
    Lineup adapt(Lineup wished) {
        return wished.ofPenstock("its switches are others");
    }

    @Override
    List<Scenario> scenarios() throws IOException {
        return List.of(new EyesScenario(
                Wrk.find(System.getenv("PATH")),
                eyes.isEmpty() ? usualEyes() : named(),
                atLeast(1, connections, "--connections"),
                atLeast(1, threads, "--threads"),
                atLeast(1, size(seconds, 2, 1), "--seconds"),
                atLeast(1, size(warmUp, 6, 1), "--warm-up"),
                atLeast(1, size(turns, 8, 1), "--turns")));
    }

    private List<Eyes> usualEyes() {
        return isSmoke() ? List.of(Eyes.NOTHING, Eyes.ALL_RECORDED) : List.of(Eyes.values());
    }

    private List<Eyes> named() {
        return eyes.stream().map(EyesCommand::named).toList();
    }

    private static Eyes named(String name) {
        Optional<Eyes> found = Arrays.stream(Eyes.values())
                .filter(one -> one.id().equals(name))
                .findFirst();
        return found.orElseThrow(() -> new IllegalArgumentException("--eyes knows "
                + Arrays.stream(Eyes.values()).map(Eyes::id).collect(Collectors.joining(", ")) + ", not " + name));
    }
}

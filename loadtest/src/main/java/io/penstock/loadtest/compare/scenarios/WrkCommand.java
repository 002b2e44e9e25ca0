package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.cli.DurationConverter;
import io.penstock.loadtest.peers.Server;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The options of {@code compare wrk}. */
@Command(
        name = "wrk",
        description = {
            "Measures the client of this program: requests per second and median latency beside those of wrk on the same server.",
            "wrk must be installed. The server is Penstock unless others are named."
        },
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        defaultValueProvider = OtherDefaults.Five.class,
        sortOptions = false)
public final class WrkCommand extends ScenarioCommand {
    @Option(names = "--connections", paramLabel = "N", description = "Connections of each client.")
    private int connections = 64;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "How long each client measures, in whole seconds, such as 5s; 5s if absent.")
    private @Nullable Duration duration;

    @Option(
            names = "--warm-up",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "How long each client loads the server before, in whole seconds, such as 3s; 3s if absent.")
    private @Nullable Duration warmUp;

    @Override
    List<Server> usual() {
        return List.of(Server.PENSTOCK);
    }

    @Override
    List<Scenario> scenarios() throws IOException {
        return List.of(new WrkScenario(
                Wrk.find(System.getenv("PATH")),
                atLeast(1, connections, "--connections"),
                seconds(size(duration, Duration.ofSeconds(5), Duration.ofSeconds(1)), "--duration"),
                seconds(size(warmUp, Duration.ofSeconds(3), Duration.ofSeconds(1)), "--warm-up")));
    }

    private static int seconds(Duration time, String option) {
        if (time.toSeconds() < 1 || time.toNanosPart() != 0) {
            throw new IllegalArgumentException(option + " must be whole seconds for wrk, such as 5s");
        }
        return Math.toIntExact(time.toSeconds());
    }
}

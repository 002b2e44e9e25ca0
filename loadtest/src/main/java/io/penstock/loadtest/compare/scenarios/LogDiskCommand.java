package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.cli.DurationConverter;
import io.penstock.loadtest.compare.setup.Lineup;
import io.penstock.loadtest.peers.Server;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The options of {@code compare log-disk}. */
@Command(
        name = "log-disk",
        description =
                "Latency of Penstock's responses before, while and after the disk of its access log takes nothing."
                        + " Other servers are left out.",
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        defaultValueProvider = OtherDefaults.One.class,
        sortOptions = false)
public final class LogDiskCommand extends ScenarioCommand {
    @Option(names = "--rate", paramLabel = "N", description = "Requests due in a second; 10000 if absent.")
    private @Nullable Integer rate;

    @Option(
            names = "--blocked",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description =
                    "How long the disk takes nothing, and how long the parts before and after are; 30s if absent.")
    private @Nullable Duration blocked;

    @Option(
            names = "--warm-up",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "How long requests are sent before, at the same rate; 15s if absent.")
    private @Nullable Duration warmUp;

    @Option(
            names = "--deadline",
            defaultValue = "2s",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "When a request counts as not answered, such as 500ms.")
    private Duration deadline = Duration.ZERO;

    @Option(names = "--connections", paramLabel = "N", description = "Most connections.")
    private int connections = 256;

    @Override
    List<Server> usual() {
        return List.of(Server.PENSTOCK);
    }

    /** A log that goes into a pipe is a setting of ours. */
    @Override
    Lineup adapt(Lineup wished) {
        return wished.ofPenstock("its log is set up in other ways");
    }

    @Override
    List<Scenario> scenarios() {
        return List.of(new LogDiskScenario(
                atLeast(1, size(rate, 10_000, 500), "--rate"),
                size(warmUp, Duration.ofSeconds(15), Duration.ofMillis(500)),
                size(blocked, Duration.ofSeconds(30), Duration.ofSeconds(1)),
                deadline,
                atLeast(1, connections, "--connections")));
    }
}

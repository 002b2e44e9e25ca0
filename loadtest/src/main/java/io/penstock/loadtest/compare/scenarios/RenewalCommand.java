package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.cli.DurationConverter;
import io.penstock.loadtest.peers.Server;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code compare renewal} and its options. */
@Command(
        name = "renewal",
        description = {
            "Replaces the certificate files of a server under load. Measures whether requests fail, and when"
                    + " new handshakes get the new certificate.",
            "Measures Penstock only: the other servers do not reload their files."
        },
        defaultValueProvider = OtherDefaults.One.class)
public final class RenewalCommand extends ScenarioCommand {
    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Rate of requests on connections that stay open, per second.")
    private int rate = 1000;

    @Option(
            names = "--handshakes",
            paramLabel = "N",
            description = "Rate of additional requests, each on a new connection, per second.")
    private int handshakes = 50;

    @Option(names = "--swaps", paramLabel = "N", description = "Number of replacements of the certificate. Default: 6.")
    private @Nullable Integer swaps;

    @Option(
            names = "--between",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Time between two replacements, such as 5s. The server checks its files each second."
                    + " Default: 5s.")
    private @Nullable Duration between;

    @Override
    List<Server> usual() {
        return List.of(Server.PENSTOCK);
    }

    @Override
    List<Scenario> scenarios() {
        return List.of(new RenewalScenario(
                atLeast(1, rate, "--rate"),
                atLeast(1, handshakes, "--handshakes"),
                atLeast(1, size(swaps, 6, 1), "--swaps"),
                size(between, Duration.ofSeconds(5), Duration.ofSeconds(4))));
    }
}

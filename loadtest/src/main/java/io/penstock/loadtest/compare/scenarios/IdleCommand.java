package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.cli.DurationConverter;
import io.penstock.loadtest.peers.Server;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command {@code compare idle} and its options. */
@Command(
        name = "idle",
        description = "Measures the memory of an idle connection: heap after garbage collection, and resident"
                + " memory, without and with many idle connections.")
public final class IdleCommand extends ScenarioCommand {
    private static final int MANY = 10_000;
    private static final int FEW = 500;
    private static final int FEW_OVER_TLS = 50;
    private static final Duration WARM_UP = Duration.ofSeconds(15);

    @Option(names = "--connections", paramLabel = "N", description = "Number of idle connections. Default: 10000.")
    private @Nullable Integer connections;

    @Option(
            names = "--to-gather",
            defaultValue = "1m",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Time limit for all idle connections to open, such as 60s.")
    private Duration toGather = Duration.ZERO;

    @Mixin
    private OverTls tls = new OverTls();

    @Override
    List<Server> usual() {
        return tls.isOn() ? OverTls.SERVERS : super.usual();
    }

    @Override
    List<Scenario> scenarios() {
        int few = tls.isOn() ? FEW_OVER_TLS : FEW;
        return List.of(new IdleScenario(
                atLeast(1, size(connections, MANY, few), "--connections"),
                isSmoke() ? Duration.ofSeconds(1) : WARM_UP,
                toGather,
                tls));
    }
}

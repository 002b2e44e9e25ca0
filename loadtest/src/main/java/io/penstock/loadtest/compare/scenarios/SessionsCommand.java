package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.cli.DurationConverter;
import io.penstock.loadtest.cli.SizeConverter;
import io.penstock.loadtest.peers.RedisServer;
import io.penstock.loadtest.peers.Server;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code compare sessions} and its options. */
@Command(
        name = "sessions",
        description = {
            "Compares two ways to keep sessions in Redis: that of Penstock, and Tomcat with Spring Session. Measures requests per"
                    + " second, processor time, Redis calls, the size of a session, and lost changes of parallel"
                    + " requests.",
            "Starts redis-server, which must be installed."
        })
public final class SessionsCommand extends ScenarioCommand {
    @Option(
            names = "--connections",
            paramLabel = "N",
            description = "Number of connections, each with its own session. Default: 64.")
    private @Nullable Integer connections;

    @Option(
            names = "--bytes",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "Size in bytes of the attribute that does not change, in each session.")
    private Long bytes = 1024L;

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Number of threads that run servlets, for each server.")
    private int workers = 200;

    @Option(
            names = "--warm-up",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Warm-up time, not measured, such as 10s. Default: 10s.")
    private @Nullable Duration warmUp;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Measured time of each round, such as 10s. Default: 10s.")
    private @Nullable Duration duration;

    @Option(
            names = "--stored",
            paramLabel = "N",
            description = "Number of sessions that are created to measure the size of a session. Default: 2000.")
    private @Nullable Integer stored;

    @Option(
            names = "--clients",
            paramLabel = "N",
            description = "Number of clients that change one session in parallel. Default: 8.")
    private @Nullable Integer clients;

    @Option(names = "--changes", paramLabel = "N", description = "Number of changes of each such client. Default: 250.")
    private @Nullable Integer changes;

    @Override
    List<Server> usual() {
        return Server.forSessionStores();
    }

    @Override
    List<Scenario> scenarios() throws IOException {
        RedisServer.check();
        return List.of(new SessionsScenario(new SessionsPlan(
                atLeast(1, size(connections, 64, 8), "--connections"),
                atMostTwoGigabytes(bytes, "--bytes"),
                atLeast(1, workers, "--workers"),
                size(warmUp, Duration.ofSeconds(10), Duration.ofMillis(500)),
                size(duration, Duration.ofSeconds(10), Duration.ofSeconds(1)),
                atLeast(1, size(stored, 2000, 50), "--stored"),
                atLeast(1, size(clients, 8, 4), "--clients"),
                atLeast(1, size(changes, 250, 20), "--changes"))));
    }
}

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

/** The options of {@code compare sessions}. */
@Command(
        name = "sessions",
        description = {
            "Sessions in Redis: Penstock beside Tomcat with Spring Session. Requests a second, processor time, calls of Redis, the"
                    + " size of a session, and which changes of parallel requests are lost.",
            "Needs the program redis-server, which it starts."
        })
public final class SessionsCommand extends ScenarioCommand {
    @Option(
            names = "--connections",
            paramLabel = "N",
            description = "Connections that ask, each with a session of its own; 64 if absent.")
    private @Nullable Integer connections;

    @Option(
            names = "--bytes",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "Bytes of the attribute of a session that does not change.")
    private Long bytes = 1024L;

    @Option(names = "--workers", paramLabel = "N", description = "Threads of each server that run servlets.")
    private int workers = 200;

    @Option(
            names = "--warm-up",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "How long the connections ask before it counts, such as 10s; 10s if absent.")
    private @Nullable Duration warmUp;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "How long they ask in a round, such as 10s; 10s if absent.")
    private @Nullable Duration duration;

    @Option(
            names = "--stored",
            paramLabel = "N",
            description = "Sessions that are made to find out what one takes; 2000 if absent.")
    private @Nullable Integer stored;

    @Option(
            names = "--clients",
            paramLabel = "N",
            description = "Clients that change one session in parallel; 8 if absent.")
    private @Nullable Integer clients;

    @Option(names = "--changes", paramLabel = "N", description = "Changes of each of them; 250 if absent.")
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

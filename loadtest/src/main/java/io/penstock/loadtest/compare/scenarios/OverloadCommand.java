package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.cli.DurationConverter;
import io.penstock.loadtest.compare.setup.Lineup;
import io.penstock.loadtest.peers.Server;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The options of {@code compare overload}. */
@Command(
        name = "overload",
        description =
                "Many times the requests that a server can answer: what is still answered, how fast the others are refused,"
                        + " and when the server is itself again. Every server has its own defaults but for the number of its"
                        + " threads, so NAME means NAME-defaults; Penstock is measured with another queue as well.",
        defaultValueProvider = OtherDefaults.One.class)
public final class OverloadCommand extends ScenarioCommand {
    private static final int SPARE = 1000;

    @Option(names = "--rate", paramLabel = "N", description = "Requests due in a second during the overload.")
    private int rate = 2000;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "How long the overload lasts, such as 60s; 60s if absent.")
    private @Nullable Duration duration;

    @Option(names = "--workers", paramLabel = "N", description = "Threads of each server that run the servlet.")
    private int workers = 4;

    @Option(names = "--millis", paramLabel = "MS", description = "Milliseconds that a call of the servlet takes.")
    private int millis = 20;

    @Option(
            names = "--deadline",
            defaultValue = "2s",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description =
                    "How long a client waits, such as 2s; then it closes its connection, and an answer is no good.")
    private Duration deadline = Duration.ZERO;

    @Option(
            names = "--normal-rate",
            paramLabel = "N",
            description = "Requests due in a second before the overload and after it.")
    private int normalRate = 100;

    @Option(
            names = "--before",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "How long the normal latency is measured, which is the warm-up as well; 10s if absent.")
    private @Nullable Duration before;

    @Option(
            names = "--after",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "How long the server has to become normal again; 30s if absent.")
    private @Nullable Duration after;

    @Option(
            names = "--queue-age",
            defaultValue = "400ms",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "In a second row of Penstock, how long a request may wait there for a thread, such as 400ms.")
    private Duration queueAge = Duration.ZERO;

    @Option(
            names = "--queue",
            paramLabel = "N",
            description = "In a third row of Penstock, how many requests may wait there for a thread.")
    private int queue = 80;

    /**
     * Each server with its own settings, whichever of its rows was named. Servers whose servlets run on any number of threads are
     * left out.
     */
    @Override
    Lineup adapt(Lineup wished) {
        List<String> leftOut = new ArrayList<>(wished.leftOut());
        Set<Server> servers = new LinkedHashSet<>();
        for (Server server : wished.servers()) {
            if (server.threads() == Server.Threads.VIRTUAL) {
                leftOut.add(server.id() + " is left out: virtual threads cannot be bounded to " + workers
                        + ", so there is no capacity to overload");
            } else {
                servers.add(server.withDefaults());
            }
        }
        return new Lineup(List.copyOf(servers), leftOut, wished.java());
    }

    @Override
    List<Scenario> scenarios() {
        int outstanding = Math.toIntExact(atLeast(1, rate, "--rate") * deadline.toMillis() / 1000);
        return List.of(new OverloadScenario(new OverloadPlan(
                rate,
                size(duration, Duration.ofMinutes(1), Duration.ofSeconds(1)),
                workers,
                millis,
                deadline,
                outstanding + SPARE,
                atLeast(1, normalRate, "--normal-rate"),
                size(before, Duration.ofSeconds(10), Duration.ofMillis(500)),
                size(after, Duration.ofSeconds(30), Duration.ofSeconds(2)),
                queueAge,
                atLeast(0, queue, "--queue"))));
    }
}

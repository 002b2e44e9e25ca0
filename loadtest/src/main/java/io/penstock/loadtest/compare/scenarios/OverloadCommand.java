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

/** The command {@code compare overload} and its options. */
@Command(
        name = "overload",
        description = "Sends many more requests than a server can answer. Measures how many are answered in time,"
                + " how fast the others are refused, and when the server is back to normal. Every server has"
                + " its own default settings except for the number of threads: in --servers, tomcat means tomcat-defaults."
                + " Penstock is also measured with other settings of its queue.",
        defaultValueProvider = OtherDefaults.One.class)
public final class OverloadCommand extends ScenarioCommand {
    private static final int SPARE = 1000;

    @Option(names = "--rate", paramLabel = "N", description = "Request rate during the overload, per second.")
    private int rate = 2000;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Duration of the overload, such as 60s. Default: 60s.")
    private @Nullable Duration duration;

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "Number of threads that run the servlet, for each server.")
    private int workers = 4;

    @Option(names = "--millis", paramLabel = "MS", description = "Duration of a call of the servlet, in milliseconds.")
    private int millis = 20;

    @Option(
            names = "--deadline",
            defaultValue = "2s",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Time limit for a response, such as 2s. After it the client closes its connection.")
    private Duration deadline = Duration.ZERO;

    @Option(
            names = "--normal-rate",
            paramLabel = "N",
            description = "Request rate before and after the overload, per second.")
    private int normalRate = 100;

    @Option(
            names = "--before",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Time before the overload, in which the normal latency is measured. It is also the"
                    + " warm-up. Default: 10s.")
    private @Nullable Duration before;

    @Option(
            names = "--after",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Time after the overload, in which the server must be back to normal. Default: 30s.")
    private @Nullable Duration after;

    @Option(
            names = "--queue-age",
            defaultValue = "400ms",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Maximum time of a request in Penstock's queue (queue-age), such as 400ms, for a"
                    + " second row of Penstock.")
    private Duration queueAge = Duration.ZERO;

    @Option(
            names = "--queue",
            paramLabel = "N",
            description = "Maximum number of requests in Penstock's queue (queue), for a third row of Penstock.")
    private int queue = 80;

    /**
     * Replaces each server by the same server with its own default settings. Leaves out servers that run servlets on virtual threads, since
     * the number of these threads is not limited.
     */
    @Override
    Lineup adapt(Lineup wished) {
        List<String> leftOut = new ArrayList<>(wished.leftOut());
        Set<Server> servers = new LinkedHashSet<>();
        for (Server server : wished.servers()) {
            if (server.threads() == Server.Threads.VIRTUAL) {
                leftOut.add(server.id() + " is left out: virtual threads cannot be limited to " + workers
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

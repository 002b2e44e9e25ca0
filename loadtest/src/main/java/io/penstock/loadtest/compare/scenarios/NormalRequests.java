package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.cli.DurationConverter;
import io.penstock.loadtest.cli.SizeConverter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A mixin: options of the scenarios with slow clients, for the normal requests and the setting. */
final class NormalRequests {
    private static final int REQUESTS = 10_000;
    private static final int ALONE = 2_000;
    private static final int SMOKE_REQUESTS = 100;

    @Option(names = "--rate", paramLabel = "N", description = "Normal requests due in a second.")
    private int rate = 200;

    @Option(
            names = "--requests",
            paramLabel = "N",
            description = "Normal requests beside the slow clients, all slices together; 10000 if absent.")
    private @Nullable Integer requests;

    @Option(
            names = "--alone",
            paramLabel = "N",
            description = "Normal requests without the slow clients, all slices together; 2000 if absent.")
    private @Nullable Integer alone;

    @Option(
            names = "--slices",
            paramLabel = "N",
            description = "In how many pairs of runs, one without the slow clients and one beside them; 2 if absent.")
    private @Nullable Integer slices;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            description = "Requests before the first run, at five times the rate, not counted; 5000 if absent.")
    private @Nullable Integer warmUp;

    @Option(
            names = "--deadline",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "When a normal request counts as not answered, such as 500ms; 2s if absent.")
    private @Nullable Duration deadline;

    @Option(
            names = "--connections",
            paramLabel = "N",
            description = "Most connections for the normal requests; 1000 if absent.")
    private @Nullable Integer connections;

    @Option(
            names = "--pool",
            paramLabel = "N",
            description =
                    "Threads of each server that runs servlets on a pool of its own (Tomcat 11, Jetty, Undertow); 200 if"
                            + " absent. Penstock has its four workers, Tomcat 7 a thread for each connection, up to 2000.")
    private @Nullable Integer pool;

    @Option(
            names = "--receive-buffer",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "Receive buffer of each slow client's socket in bytes, such as 16k.")
    private Long receiveBuffer = 16L << 10;

    @Option(
            names = "--send-buffer",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "Send buffer of each slow client's socket in bytes, such as 16k.")
    private Long sendBuffer = 16L << 10;

    @Option(
            names = "--server-send-buffer",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description =
                    "Send buffer of each socket on the server's side in bytes, such as 64k; 0 leaves it to the kernel,"
                            + " which then takes megabytes for a client that does not read.")
    private Long serverSendBuffer = 64L << 10;

    @Option(
            names = "--pipe-budget",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "What all pipes of Penstock may hold together, such as 64m.")
    private Long pipeBudget = 64L << 20;

    @Option(
            names = "--to-gather",
            defaultValue = "1m",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "How long the slow clients may take to come, such as 60s; then those count who stand.")
    private Duration toGather = Duration.ZERO;

    /** @throws IllegalArgumentException with a message for the user if an option is wrong */
    SlowPlan plan(boolean smoke) {
        return new SlowPlan(
                ScenarioCommand.atLeast(1, rate, "--rate"),
                size(requests, smoke ? SMOKE_REQUESTS : REQUESTS, "--requests"),
                size(alone, smoke ? SMOKE_REQUESTS : ALONE, "--alone"),
                size(slices, smoke ? 1 : 2, "--slices"),
                size(warmUp, smoke ? SMOKE_REQUESTS : 5000, "--warm-up"),
                deadline == null ? Duration.ofMillis(smoke ? 500 : 2000) : deadline,
                size(connections, smoke ? 16 : 1000, "--connections"),
                new SlowPlan.Sockets(
                        ScenarioCommand.atMostTwoGigabytes(receiveBuffer, "--receive-buffer"),
                        ScenarioCommand.atMostTwoGigabytes(sendBuffer, "--send-buffer"),
                        ScenarioCommand.atMostTwoGigabytes(serverSendBuffer, "--server-send-buffer")),
                new SlowPlan.Servers(
                        size(pool, smoke ? 8 : 200, "--pool"),
                        ScenarioCommand.atMostTwoGigabytes(pipeBudget, "--pipe-budget")),
                toGather);
    }

    private static int size(@Nullable Integer given, int otherwise, String option) {
        return ScenarioCommand.atLeast(1, given == null ? otherwise : given, option);
    }
}

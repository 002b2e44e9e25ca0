package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.cli.DurationConverter;
import io.penstock.loadtest.cli.SizeConverter;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * A picocli mixin: the options of the scenarios with slow clients. The options configure the normal requests, the servers and the sockets.
 */
final class NormalRequests {
    private static final int REQUESTS = 10_000;
    private static final int ALONE = 2_000;
    private static final int SMOKE_REQUESTS = 100;
    private static final Duration DEADLINE = Duration.ofSeconds(2);

    /** A smoke test also passes on a busy machine. */
    private static final Duration SMOKE_DEADLINE = Duration.ofSeconds(10);

    @Option(names = "--rate", paramLabel = "N", description = "Rate of normal requests, per second.")
    private int rate = 200;

    @Option(
            names = "--requests",
            paramLabel = "N",
            description = "Total number of normal requests with slow clients. Default: 10000.")
    private @Nullable Integer requests;

    @Option(
            names = "--alone",
            paramLabel = "N",
            description = "Total number of normal requests without slow clients. Default: 2000.")
    private @Nullable Integer alone;

    @Option(
            names = "--slices",
            paramLabel = "N",
            description = "Number of pairs of runs, one without and one with slow clients. Default: 2.")
    private @Nullable Integer slices;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            description = "Number of requests before the first run, at five times the rate, not measured."
                    + " Default: 5000.")
    private @Nullable Integer warmUp;

    @Option(
            names = "--deadline",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Time limit for the response to a normal request, such as 500ms. Default: 2s.")
    private @Nullable Duration deadline;

    @Option(
            names = "--connections",
            paramLabel = "N",
            description = "Maximum number of connections for normal requests. Default: 1000.")
    private @Nullable Integer connections;

    @Option(
            names = "--pool",
            paramLabel = "N",
            description = "Number of threads of each server with a thread pool (Tomcat 11, Jetty, Undertow)."
                    + " Penstock has four workers. Tomcat 7 has a thread for each connection, up to 2000."
                    + " Default: 200.")
    private @Nullable Integer pool;

    @Option(
            names = "--receive-buffer",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "Size of the receive buffer of each slow client's socket, such as 16k.")
    private Long receiveBuffer = 16L << 10;

    @Option(
            names = "--send-buffer",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "Size of the send buffer of each slow client's socket, such as 16k.")
    private Long sendBuffer = 16L << 10;

    @Option(
            names = "--server-send-buffer",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "Size of the send buffer of each socket of the server, such as 64k. With 0 the kernel"
                    + " chooses; it then buffers megabytes for a client that does not read.")
    private Long serverSendBuffer = 64L << 10;

    @Option(
            names = "--pipe-budget",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            description = "Maximum number of bytes in all pipes of Penstock together, such as 64m.")
    private Long pipeBudget = 64L << 20;

    @Option(
            names = "--to-gather",
            defaultValue = "1m",
            paramLabel = "TIME",
            converter = DurationConverter.class,
            description = "Time limit for all slow clients to connect, such as 60s. After it the run starts"
                    + " with those that are connected.")
    private Duration toGather = Duration.ZERO;

    /** @throws IllegalArgumentException with a message for the user if an option is wrong */
    SlowPlan plan(boolean smoke) {
        return new SlowPlan(
                ScenarioCommand.atLeast(1, rate, "--rate"),
                size(requests, smoke ? SMOKE_REQUESTS : REQUESTS, "--requests"),
                size(alone, smoke ? SMOKE_REQUESTS : ALONE, "--alone"),
                size(slices, smoke ? 1 : 2, "--slices"),
                size(warmUp, smoke ? SMOKE_REQUESTS : 5000, "--warm-up"),
                deadline == null ? (smoke ? SMOKE_DEADLINE : DEADLINE) : deadline,
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

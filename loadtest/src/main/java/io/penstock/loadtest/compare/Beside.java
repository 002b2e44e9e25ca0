package io.penstock.loadtest.compare;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.crowd.CrowdPlan;
import io.penstock.loadtest.crowd.RunningCrowd;
import io.penstock.loadtest.crowd.SlowClient;
import io.penstock.loadtest.crowd.SlowClient.Manner;
import io.penstock.loadtest.crowd.Tally;
import io.penstock.loadtest.load.ClosedLoop;
import io.penstock.loadtest.load.ClosedPlan;
import io.penstock.loadtest.load.LoadResult;
import io.penstock.loadtest.load.OpenLoop;
import io.penstock.loadtest.load.OpenPlan;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerOptions;
import io.penstock.loadtest.peers.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.HdrHistogram.Histogram;

/**
 * Normal requests at a constant rate, alternately alone and while slow clients are connected. One pair of these runs is a slice.
 *
 * @param path the path of the normal requests
 * @param slow the slow clients
 * @param which the servers that are measured
 */
record Beside(Sizes sizes, String path, List<Slow> slow, boolean encrypted, Predicate<Server> which)
        implements Job.Alone {
    /** The path of a servlet with permits, without the size of its response. For its slow clients, the time of a permit is measured. */
    static final String POOLED = "/pooled?bytes=";

    static final String FILE = "/files/slow.txt";

    private static final long FILE_BYTES = 16 << 20;

    static final Size<Integer> RATE = Size.count("--rate", 200, 200, "Normal requests per second.");
    static final Size<Integer> REQUESTS =
            Size.count("--requests", 10_000, 100, "Number of normal requests beside slow clients.");
    static final Size<Integer> ALONE = Size.count("--alone", 2_000, 100, "Number of normal requests alone.");
    static final Size<Integer> SLICES =
            Size.count("--slices", 2, 1, "Number of pairs of runs, one alone and one beside slow clients.");
    static final Size<Integer> WARM_UP =
            Size.count("--warm-up", 5_000, 100, "Number of requests before the first run, at five times the rate.");
    /** A smoke test also passes on a busy machine. */
    static final Size<Duration> DEADLINE =
            Size.time("--deadline", "2s", "10s", "Time limit for the response to a normal request.");

    static final Size<Integer> CONNECTIONS =
            Size.count("--connections", 1000, 16, "Maximum number of connections for normal requests.");
    static final Size<Integer> POOL = Size.count(
            "--pool", 200, 8, "Number of threads of each tuned server with a pool: Tomcat 11, Jetty, Undertow.");
    static final Size<Duration> TO_GATHER = Size.time(
            "--to-gather",
            "1m",
            "1m",
            "Time limit for all slow clients to connect; the run starts with those that are.");

    static final List<Size<?>> SIZES =
            List.of(RATE, REQUESTS, ALONE, SLICES, WARM_UP, DEADLINE, CONNECTIONS, POOL, TO_GATHER);

    private static final int WARM_UP_FACTOR = 5;

    /** The time limit of the warm-up. On a busy machine, the first responses of a new JVM take long. */
    private static final Duration PATIENCE_WITH_COLD_SERVER = Duration.ofSeconds(20);

    /** The time at the start of a run over TLS in which the connections are made. Requests in this time are not counted. */
    private static final int SECONDS_TO_CONNECT = 2;

    // Small buffers, since large buffers in the kernel would hide that a client is slow.
    private static final int SLOW_BUFFER = 16 << 10;
    private static final int SERVER_SEND_BUFFER = 64 << 10;
    private static final int PIPE_BUDGET = 64 << 20;

    /** The memory that a server may use in addition to heap and pipes: code, classes, stacks, and memory of the garbage collector. */
    private static final long BESIDE_HEAP_AND_PIPES = 256L << 20;

    private static final Duration TO_GET_QUIET = Duration.ofSeconds(10);

    /** The number of Penstock's workers. With more fast clients, requests would wait for a worker. */
    private static final int FAST_CLIENTS = 4;

    private static final Duration FAST_TIME = Duration.ofMillis(500);

    /**
     * Slow clients that do the same.
     *
     * @param path the path of their requests
     * @param burst the bytes that an upload sends at once before it becomes slow
     * @param streams the number of clients on a connection of HTTP/2
     */
    record Slow(int size, SlowClient client, String path, int burst, int streams) {
        Slow(int size, SlowClient client, String path) {
            this(size, client, path, 0, 1);
        }

        Slow withBurst(int bytes) {
            return new Slow(size, client, path, bytes, streams);
        }

        /** The same number of clients, as streams of so many connections. */
        Slow on(int connections) {
            return new Slow(size, client, path, burst, Math.max(1, (size + connections - 1) / connections));
        }

        private List<CrowdPlan.Group> groups(ServerProcess process) {
            Manner manner = Manner.to(process.target(path)).withBurst(burst).withStreams(streams);
            return CrowdPlan.of(size, client, manner).groups();
        }

        private int files() {
            return size * client.files();
        }
    }

    /** @throws IllegalArgumentException if a slice has no request */
    Beside {
        slow = List.copyOf(slow);
        int slices = sizes.of(SLICES);
        if (sizes.of(REQUESTS) < slices || sizes.of(ALONE) < slices) {
            throw new IllegalArgumentException("Each slice needs a request: " + sizes.of(REQUESTS)
                    + " beside the slow clients and " + sizes.of(ALONE) + " without them, in " + slices + " slices");
        }
    }

    @Override
    public int connections() {
        return sizes.of(CONNECTIONS) + crowdSize();
    }

    private int crowdSize() {
        return slow.stream().mapToInt(Slow::size).sum();
    }

    @Override
    public int files() {
        return slow.stream().mapToInt(Slow::files).sum();
    }

    @Override
    public Map<String, Long> content() {
        boolean read = slow.stream().anyMatch(group -> group.path().equals(FILE));
        return read ? Map.of("slow.txt", FILE_BYTES) : Map.of();
    }

    @Override
    public ServerOptions options(ServerOptions common) {
        return slow.stream().anyMatch(group -> group.client().isHttp2()) ? common.withHttp2() : common;
    }

    private boolean isPooled() {
        return path.startsWith(POOLED);
    }

    @Override
    public boolean fits(Server server) {
        return which.test(server);
    }

    @Override
    public void measure(Stage stage, Server server, Figures figures) throws IOException, InterruptedException {
        try (ServerProcess process = stage.start(server, common -> options(server, common));
                ClientLoop normal = ClientLoop.start(
                        stage.clients(sizes.of(CONNECTIONS)).withConnectTimeout(PATIENCE_WITH_COLD_SERVER));
                ClientLoop crowd = ClientLoop.start(
                        stage.clients(Math.max(1, crowdSize())).withSocketBuffers(SLOW_BUFFER, SLOW_BUFFER))) {
            warmUp(process, normal);
            if (!server.isUnderBoot()) {
                figures.put(Figure.ALLOWED, (process.heapBytes() + PIPE_BUDGET + BESIDE_HEAP_AND_PIPES) / 1e6);
            }
            if (isPooled()) {
                figures.put(Figure.OWN_PERMIT, ownPermitMicros(stage, process) / 1e3);
            }
            new Run(process, normal, crowd, figures).all();
        }
    }

    /** The settings of a server. A server with its own default settings gets only the size of the send buffers. */
    ServerOptions options(Server server, ServerOptions common) {
        ServerOptions options = common.withSendBuffer(SERVER_SEND_BUFFER);
        if (server.settings() != Server.Settings.TUNED) {
            return options;
        }
        if (server.isPenstock()) {
            return options.with("pipe-budget", Integer.toString(PIPE_BUDGET));
        }
        return server.hasPool() ? options.withWorkers(sizes.of(POOL)) : options;
    }

    private void warmUp(ServerProcess process, ClientLoop normal) throws IOException, InterruptedException {
        OpenPlan plan = new OpenPlan(
                Request.get(process.target(path)),
                sizes.of(RATE) * WARM_UP_FACTOR,
                0,
                sizes.of(WARM_UP),
                PATIENCE_WITH_COLD_SERVER,
                sizes.of(CONNECTIONS));
        LoadResult first = new Watch(process).until(new OpenLoop(normal, plan).start(), plan.patience());
        if (first.answered() == 0) {
            throw new IOException("no normal request was answered without slow clients: " + first.firstTrouble());
        }
    }

    /**
     * Measures the longest time for which a call of the servlet {@code /pooled} holds one of its permits if all clients are fast. The first
     * run is not measured, since its requests run code that the JVM has not compiled yet.
     */
    private long ownPermitMicros(Stage stage, ServerProcess process) throws IOException, InterruptedException {
        for (int run = 0; run < 2; run++) {
            process.reset();
            try (ClientLoop fast = ClientLoop.start(stage.clients(FAST_CLIENTS))) {
                ClosedPlan plan =
                        ClosedPlan.of(Request.get(process.target(slow.get(0).path())), FAST_CLIENTS, FAST_TIME);
                LoadResult result =
                        new Watch(process).until(new ClosedLoop(fast, plan).start(), FAST_TIME.plus(TO_GET_QUIET));
                if (!result.isAllAnswered()) {
                    throw new IOException(
                            "fast clients were not answered without slow clients: " + result.firstTrouble());
                }
            }
        }
        return process.stats().permitLongestMicros();
    }

    /**
     * The p99 beside slow clients, divided by the {@linkplain RunningCrowd#allowedP99 allowed} one. Infinite if there is no latency,
     * since all requests were refused or lost their connections.
     */
    static double ofAllowed(Histogram alone, Histogram beside) {
        return beside.getTotalCount() == 0
                ? Double.POSITIVE_INFINITY
                : p99Micros(beside) / (double) RunningCrowd.allowedP99(p99Micros(alone));
    }

    private static long p99Micros(Histogram nanos) {
        return TimeUnit.NANOSECONDS.toMicros(nanos.getValueAtPercentile(99));
    }

    /** The measurement of one server, after its warm-up. */
    private final class Run {
        private final ServerProcess process;
        private final ClientLoop normal;
        private final ClientLoop crowd;
        private final Figures figures;
        private final Side alone = new Side();
        private final Side beside = new Side();
        private final Watch watch;

        Run(ServerProcess process, ClientLoop normal, ClientLoop crowd, Figures figures) {
            this.process = process;
            this.normal = normal;
            this.crowd = crowd;
            this.figures = figures;
            this.watch = new Watch(process);
        }

        void all() throws IOException, InterruptedException {
            int slices = sizes.of(SLICES);
            Target target = process.target(path);
            int notCounted = encrypted ? sizes.of(RATE) * SECONDS_TO_CONNECT : 0;
            OpenPlan plan = new OpenPlan(
                    Request.get(target),
                    sizes.of(RATE),
                    notCounted,
                    sizes.of(REQUESTS) / slices,
                    sizes.of(DEADLINE),
                    sizes.of(CONNECTIONS));
            for (int slice = 0; slice < slices; slice++) {
                alone.add(requests(new Watch(process), plan.withRequests(sizes.of(ALONE) / slices)));
                figures.put(Figure.ALONE_FAILED, alone.failed())
                        .put(Figure.ALONE_P50, alone.latency, 50)
                        .put(Figure.ALONE_P99, alone.latency, 99);
                // The server reports maxima. The maximum of the requests alone must not be counted for the others.
                process.reset();
                besideTheCrowd(plan);
                if (!watch.untilQuiet(TO_GET_QUIET)) {
                    throw new IOException("calls of service are still open " + TO_GET_QUIET.toSeconds()
                            + " s after the slow clients have gone");
                }
            }
        }

        private void besideTheCrowd(OpenPlan plan) throws IOException, InterruptedException {
            CrowdPlan groups = new CrowdPlan(slow.stream()
                    .flatMap(group -> group.groups(process).stream())
                    .toList());
            try (RunningCrowd standing = RunningCrowd.gatherReachable(crowd, groups, sizes.of(TO_GATHER))) {
                Tally before = standing.tally();
                if (!before.isComplete()) {
                    figures.note("only " + before.standing() + " of " + before.size() + " slow clients connected ("
                            + (before.lastTrouble().isEmpty() ? "still connecting" : before.lastTrouble()) + ")");
                }
                beside.add(requests(watch, plan));
                put();
                figures.note(standing.disperse().describe());
            }
        }

        private LoadResult requests(Watch during, OpenPlan plan) throws IOException, InterruptedException {
            return during.until(new OpenLoop(normal, plan).start(), plan.patience());
        }

        private void put() {
            figures.put(Figure.DUE, beside.requests)
                    .put(Figure.ANSWERED, beside.answered)
                    .put(Figure.FAILED, beside.failed())
                    .put(Figure.P50, beside.latency, 50)
                    .put(Figure.P99, beside.latency, 99)
                    .put(Figure.P99_OF_ALLOWED, ofAllowed(alone.latency, beside.latency))
                    .put(Figure.P999, beside.latency, 99.9)
                    .put(Figure.MOST, beside.latency, 100)
                    .note(beside.trouble);
            watch.put(figures);
            if (isPooled()) {
                figures.put(Figure.PERMIT, watch.permitMicros() / 1e3);
            }
        }
    }

    /** The normal requests of all slices so far, alone or beside slow clients. */
    private static final class Side {
        private final Histogram latency = new Histogram(3);
        private long requests;
        private long answered;
        private String trouble = "";

        void add(LoadResult result) {
            latency.add(result.latency());
            requests += result.requests();
            answered += result.answered();
            trouble = trouble.isEmpty() ? result.firstTrouble() : trouble;
        }

        long failed() {
            return requests - answered;
        }
    }
}

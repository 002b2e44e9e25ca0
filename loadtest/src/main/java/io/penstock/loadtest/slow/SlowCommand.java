package io.penstock.loadtest.slow;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.ClientSettings;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.client.Require;
import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.crowd.CrowdPlan;
import io.penstock.loadtest.crowd.RunningCrowd;
import io.penstock.loadtest.crowd.SlowClient;
import io.penstock.loadtest.crowd.SlowClient.Manner;
import io.penstock.loadtest.crowd.Tally;
import io.penstock.loadtest.load.FileDescriptors;
import io.penstock.loadtest.load.LoadResult;
import io.penstock.loadtest.load.OpenLoop;
import io.penstock.loadtest.load.OpenPlan;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code loadtest slow}: its options, and the start of its experiment. */
@Command(
        name = "slow",
        description = {
            "Sends requests at a constant rate, alternately without and with slow clients.",
            "Target: every request gets a response, and the p99 with slow clients is at most three times the p99"
                    + " without them, or at most 5 ms above it, whichever allows more."
        },
        mixinStandardHelpOptions = true,
        showDefaultValues = true,
        sortOptions = false,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:the target is met", "1:the target is missed", "2:an option is invalid", "3:not measured"})
public final class SlowCommand implements Callable<Integer> {
    private static final int READERS_BUFFER = 16 << 10;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "URL", description = "URL of the requests and of the idle clients.")
    private @Nullable URI url;

    @Option(names = "--idle", description = "Number of connections that stay idle after one response.")
    private int idle = 5000;

    @Option(names = "--half-heads", description = "Number of clients that send half a request head.")
    private int halfHeads = 500;

    @Option(names = "--dripping", description = "Number of clients that send a body slowly.")
    private int dripping = 500;

    @Option(names = "--drip-url", paramLabel = "URL", description = "URL of slow bodies. Default: URL.")
    private @Nullable URI dripUrl;

    @Option(names = "--drip-length", description = "Length of a slow body in bytes.")
    private int dripLength = 10_240;

    @Option(names = "--drop", description = "Bytes of a slow body that are sent at a time.")
    private int drop = 64;

    @Option(names = "--drip-pause", paramLabel = "ms", description = "Milliseconds between two pieces of a slow body.")
    private int dripPause = 500;

    @Option(
            names = "--reading",
            description = "Number of clients that read a response slowly, with small socket buffers.")
    private int reading = 0;

    @Option(
            names = "--read-url",
            paramLabel = "URL",
            description = "URL of slow readers. Its response must be larger than the buffers of the"
                    + " operating system. Default: URL.")
    private @Nullable URI readUrl;

    @Option(names = "--read", description = "Bytes of a response that a slow reader reads at a time.")
    private int read = 500;

    @Option(names = "--read-pause", paramLabel = "ms", description = "Milliseconds between two reads of a slow reader.")
    private int readPause = 500;

    @Option(names = "--rate", description = "Request rate, per second.")
    private int rate = 200;

    @Option(
            names = "--requests",
            description = "Total number of requests with slow clients, and the same number without them.")
    private int requests = 10_000;

    @Option(names = "--rounds", description = "Number of pairs of runs, one without and one with slow clients.")
    private int rounds = 2;

    @Option(names = "--warm-up", description = "Number of requests before the first run, not measured.")
    private int warmUp = 2000;

    @Option(names = "--deadline", paramLabel = "ms", description = "Time limit for a response, in milliseconds.")
    private int deadline = 10_000;

    @Option(names = "--connections", description = "Maximum number of connections for the requests at a constant rate.")
    private int connections = 256;

    @Override
    public Integer call() throws IOException, InterruptedException {
        CommandSpec command = Objects.requireNonNull(spec);
        OpenPlan steady;
        CrowdPlan crowd;
        try {
            steady = steadyPlan();
            crowd = crowdPlan(steady.request().target());
        } catch (IllegalArgumentException wrong) {
            throw new ParameterException(command.commandLine(), String.valueOf(wrong.getMessage()), wrong);
        }
        SlowExperiment.Report report =
                new SlowExperiment.Report(command.commandLine().getOut());
        FileDescriptors.check(crowd.size() + connections);
        try (ClientLoop loop = ClientLoop.start(settings(crowd))) {
            OpenLoop.checkReachable(loop, steady.request(), steady.deadline());
            boolean met = new SlowExperiment(loop, steady, crowd, report).run(warmUp, rounds);
            return met ? 0 : 1;
        }
    }

    /**
     * Returns settings with a small receive buffer if there are slow readers. With a large buffer, the kernel would receive megabytes for a
     * reader, and the server would not notice that the reader is slow.
     */
    private ClientSettings settings(CrowdPlan crowd) {
        ClientSettings settings = ClientSettings.defaults().withMaxConnections(crowd.size() + connections);
        return crowd.readers() > 0 ? settings.withSocketBuffers(READERS_BUFFER, 0) : settings;
    }

    private OpenPlan steadyPlan() {
        Require.atLeast(1, rate, "--rate");
        Require.atLeast(1, rounds, "--rounds");
        Require.atLeast(rounds, requests, "--requests");
        Require.atLeast(1, warmUp, "--warm-up");
        Require.atLeast(1, deadline, "--deadline");
        Require.atLeast(1, connections, "--connections");
        Target target = Target.of(Objects.requireNonNull(url));
        return OpenPlan.ofRequests(Request.get(target), rate, requests / rounds)
                .withDeadline(Duration.ofMillis(deadline))
                .withMaxConnections(connections);
    }

    private CrowdPlan crowdPlan(Target target) {
        Require.atLeast(0, idle, "--idle");
        Require.atLeast(0, halfHeads, "--half-heads");
        Require.atLeast(0, dripping, "--dripping");
        Require.atLeast(1, dripLength, "--drip-length");
        Require.atLeast(1, drop, "--drop");
        Require.atLeast(1, dripPause, "--drip-pause");
        Require.atLeast(0, reading, "--reading");
        Require.atLeast(1, read, "--read");
        Require.atLeast(1, readPause, "--read-pause");
        Target dripTarget = dripUrl == null ? target : Target.of(dripUrl);
        Target readTarget = readUrl == null ? target : Target.of(readUrl);
        Manner uploads = new Manner(dripTarget, dripLength, 0, drop, read, dripPause, 1);
        Manner reads = new Manner(readTarget, dripLength, 0, drop, read, readPause, 1);
        return new CrowdPlan(List.of(
                new CrowdPlan.Group(idle, SlowClient.IDLE, Manner.to(target)),
                new CrowdPlan.Group(halfHeads, SlowClient.HALF_HEAD, Manner.to(target)),
                new CrowdPlan.Group(dripping, SlowClient.UPLOAD, uploads),
                new CrowdPlan.Group(reading, SlowClient.READER, reads)));
    }

    /**
     * Sends requests at a constant rate, alternately without slow clients and while slow clients are connected. The runs alternate so that
     * other work of the machine affects both kinds of runs.
     *
     * <p>Thread: the thread that waits for the result. The requests are sent on the thread of the {@link ClientLoop}.
     */
    static final class SlowExperiment {
        private static final Duration TO_GATHER = Duration.ofSeconds(60);
        private static final int MILLIS_TO_SETTLE = 1000;

        private final ClientLoop loop;
        private final OpenPlan steady;
        private final CrowdPlan crowdPlan;
        private final Report report;

        SlowExperiment(ClientLoop loop, OpenPlan steady, CrowdPlan crowdPlan, Report report) {
            this.loop = loop;
            this.steady = steady;
            this.crowdPlan = crowdPlan;
            this.report = report;
        }

        /** Runs the whole experiment. Returns true if the target is met. */
        boolean run(int warmUp, int rounds) throws IOException, InterruptedException {
            LoadResult first = requests(steady.withRequests(warmUp));
            if (first.answered() == 0) {
                throw new IOException("No request was successful: " + first.firstTrouble());
            }
            report.begin();
            for (int round = 0; round < rounds; round++) {
                report.addUnloaded(requests(steady));
                runLoaded();
            }
            return report.end();
        }

        private void runLoaded() throws IOException, InterruptedException {
            try (RunningCrowd crowd = RunningCrowd.gather(loop, crowdPlan, TO_GATHER)) {
                LoadResult result = requests(steady);
                report.addLoaded(result, crowd.disperse());
            }
            // The server notices in this time that the slow clients have disconnected.
            Thread.sleep(MILLIS_TO_SETTLE);
        }

        private LoadResult requests(OpenPlan plan) throws IOException, InterruptedException {
            return new OpenLoop(loop, plan).await();
        }

        /** Prints one line for each run, and the result of all runs at the end. */
        static final class Report {
            private final PrintWriter out;
            private final List<LoadResult> unloaded = new ArrayList<>();
            private final List<LoadResult> loaded = new ArrayList<>();

            Report(PrintWriter out) {
                this.out = out;
            }

            void begin() {
                print(
                        "%-9s %9s %9s %8s %7s %9s %9s %9s   %s",
                        "run",
                        "requests",
                        "answered",
                        "refused",
                        "failed",
                        "p50 ms",
                        "p99 ms",
                        "max ms",
                        "slow clients");
            }

            void addUnloaded(LoadResult result) {
                unloaded.add(result);
                printRun("unloaded", result, "");
            }

            void addLoaded(LoadResult result, Tally crowd) {
                loaded.add(result);
                printRun("loaded", result, crowd.describe());
            }

            /** Prints the result of all runs. Returns true if all requests of all runs were answered and the target is met. */
            boolean end() {
                boolean complete = unloaded.stream().allMatch(LoadResult::isAllAnswered)
                        && loaded.stream().allMatch(LoadResult::isAllAnswered);
                if (!complete) {
                    print("Not all requests were answered: the target is missed");
                    return false;
                }
                long alone = p99(unloaded);
                long beside = p99(loaded);
                long allowed = RunningCrowd.allowedP99(alone);
                boolean met = beside <= allowed;
                print(
                        "All requests were answered; p99 %.3f ms without slow clients, %.3f ms with them, at most"
                                + " %.3f ms allowed: the target is %s",
                        alone / 1e3, beside / 1e3, allowed / 1e3, met ? "met" : "missed");
                return met;
            }

            private void printRun(String name, LoadResult result, String crowd) {
                Histogram latencies = result.latency();
                print(
                        "%-9s %9d %9d %8d %7d %9s %9s %9s   %s",
                        name,
                        result.requests(),
                        result.answered(),
                        result.non2xx(),
                        result.failed(),
                        millis(latencies, 50),
                        millis(latencies, 99),
                        millis(latencies, 100),
                        crowd);
                if (!result.firstTrouble().isEmpty()) {
                    print("          first error: %s", result.firstTrouble());
                }
            }

            private static String millis(Histogram latencies, double percentile) {
                return latencies.getTotalCount() == 0
                        ? "-"
                        : String.format(Locale.ROOT, "%.3f", latencies.getValueAtPercentile(percentile) / 1e6);
            }

            private static long p99(List<LoadResult> runs) {
                Histogram all = new Histogram(3);
                runs.forEach(run -> all.add(run.latency()));
                return TimeUnit.NANOSECONDS.toMicros(all.getValueAtPercentile(99));
            }

            private void print(String format, Object... values) {
                out.println(String.format(Locale.ROOT, format, values).stripTrailing());
                out.flush();
            }
        }
    }
}

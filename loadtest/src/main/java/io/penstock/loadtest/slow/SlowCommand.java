package io.penstock.loadtest.slow;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.ClientSettings;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.crowd.CrowdPlan;
import io.penstock.loadtest.crowd.SlowClient;
import io.penstock.loadtest.crowd.SlowClient.Manner;
import io.penstock.loadtest.load.FileDescriptors;
import io.penstock.loadtest.load.OpenLoop;
import io.penstock.loadtest.load.OpenPlan;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
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
        atLeast(1, rate, "--rate");
        atLeast(1, rounds, "--rounds");
        atLeast(rounds, requests, "--requests");
        atLeast(1, warmUp, "--warm-up");
        atLeast(1, deadline, "--deadline");
        atLeast(1, connections, "--connections");
        Target target = Target.of(Objects.requireNonNull(url));
        return OpenPlan.ofRequests(Request.get(target), rate, requests / rounds)
                .withDeadline(Duration.ofMillis(deadline))
                .withMaxConnections(connections);
    }

    private CrowdPlan crowdPlan(Target target) {
        atLeast(0, idle, "--idle");
        atLeast(0, halfHeads, "--half-heads");
        atLeast(0, dripping, "--dripping");
        atLeast(1, dripLength, "--drip-length");
        atLeast(1, drop, "--drop");
        atLeast(1, dripPause, "--drip-pause");
        atLeast(0, reading, "--reading");
        atLeast(1, read, "--read");
        atLeast(1, readPause, "--read-pause");
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

    private static void atLeast(int least, int value, String option) {
        if (value < least) {
            throw new IllegalArgumentException(option + " must be at least " + least + ", not " + value);
        }
    }
}

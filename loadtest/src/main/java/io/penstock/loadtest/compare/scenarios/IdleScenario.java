package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.crowd.CrowdPlan;
import io.penstock.loadtest.crowd.Kind;
import io.penstock.loadtest.crowd.StandingCrowd;
import io.penstock.loadtest.crowd.Tally;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/**
 * Measures the memory of an idle connection.
 *
 * @param connections how many
 * @param toGather how long they may take to come
 */
record IdleScenario(int connections, Duration toGather) implements Scenario {
    private static final Measure STANDING = Measure.whole("connections", "idle connections");
    private static final Measure WITHOUT = Measure.tenths("heapWithoutMegabytes", "heap without, MB");
    private static final Measure WITH = Measure.tenths("heapWithMegabytes", "heap with, MB");
    private static final Measure HEAP_EACH = Measure.whole("heapBytesEach", "heap each, bytes");
    private static final Measure RESIDENT_EACH =
            Measure.whole("residentBytesEach", "resident beside the heap, each, bytes");
    private static final Measure THREADS = Measure.whole("threads", "threads");
    private static final int REQUESTS_BEFORE = 200;

    @Override
    public String name() {
        return "idle";
    }

    @Override
    public String title() {
        return "Memory of an idle connection";
    }

    @Override
    public String explanation() {
        return String.format(
                Locale.ROOT,
                "%,d connections have each had one answer and are kept. Heap and resident memory of the process after a full"
                        + " collection, with and without them; the differences are divided by their number. All pages of the heap"
                        + " are resident from the start, so resident memory grows by what lies beside the heap alone: buffers,"
                        + " stacks. What the kernel keeps for a socket is not in it.",
                connections);
    }

    @Override
    public String partTitle() {
        return "";
    }

    @Override
    public List<Measure> columns() {
        return List.of(STANDING, WITHOUT, WITH, HEAP_EACH, RESIDENT_EACH, THREADS);
    }

    /** Otherwise garbage that has touched new pages of the heap would count as memory of the connections. */
    @Override
    public List<String> jvmOptions() {
        return List.of("-XX:+AlwaysPreTouch");
    }

    @Override
    public void measure(Server server, Launch launch, Recorder recorder) throws IOException, InterruptedException {
        Results.Round round = recorder.part("");
        try (ServerProcess process = launch.start(UnaryOperator.identity());
                ClientLoop loop = ClientLoop.start(connections)) {
            recorder.started(process);
            Kind idle = new Kind.Idle(process.target("/hello"));
            // A few connections come and go before, so that classes and memory that the server needs only once are
            // not counted.
            StandingCrowd.gather(loop, CrowdPlan.of(Math.min(connections, REQUESTS_BEFORE), idle), toGather)
                    .disperse();
            long heapBefore = collected(process);
            long residentBefore = process.account().residentBytes();
            round.put(WITHOUT, heapBefore / 1e6);
            try (StandingCrowd crowd = StandingCrowd.gather(loop, CrowdPlan.of(connections, idle), toGather)) {
                long heap = collected(process);
                long resident = process.account().residentBytes();
                Tally tally = crowd.tally();
                round.put(STANDING, tally.standing());
                round.put(WITH, heap / 1e6);
                round.put(THREADS, process.account().threads());
                if (tally.standing() > 0) {
                    round.put(HEAP_EACH, (heap - heapBefore) / (double) tally.standing());
                    round.put(RESIDENT_EACH, (resident - residentBefore) / (double) tally.standing());
                }
            }
        }
    }

    /** Twice: the second collection removes objects that become unreachable in the first one, such as cleaned references. */
    private static long collected(ServerProcess process) throws IOException, InterruptedException {
        process.collect();
        return process.collect().heapBytes();
    }
}

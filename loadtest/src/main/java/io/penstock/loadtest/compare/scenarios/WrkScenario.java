package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.load.ClosedLoop;
import io.penstock.loadtest.load.ClosedPlan;
import io.penstock.loadtest.load.LoadResult;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerOptions;
import io.penstock.loadtest.peers.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Whether the client of this program measures as {@code wrk} does: both load the same server, one after the other.
 *
 * @param connections of each, held and asked over again and again
 * @param seconds of each measurement
 * @param warmUp of each, not counted
 */
record WrkScenario(Wrk wrk, int connections, int seconds, int warmUp) implements Scenario {
    private static final Measure WRK_SPEED = Measure.whole("wrkPerSecond", "wrk, requests/s");
    private static final Measure OWN_SPEED = Measure.whole("ownPerSecond", "loadtest, requests/s");
    private static final Measure RATIO = Measure.hundredths("ratio", "loadtest / wrk");
    private static final Measure WRK_P50 = Measure.thousandths("wrkP50Millis", "wrk, p50 ms");
    private static final Measure OWN_P50 = Measure.thousandths("ownP50Millis", "loadtest, p50 ms");
    private static final Measure DIFFERENCE = Measure.tenths("p50DifferencePercent", "p50 differs by, %");
    private static final Measure FAILED = Measure.whole("failed", "failed");

    private static final String SMALL = "/hello";
    private static final String SLOW = "/work?millis=5";
    private static final int AS_IT_IS = 0;
    private static final int PERCENT = 100;

    WrkScenario {
        if (seconds < 1 || warmUp < 1) {
            throw new IllegalArgumentException("wrk measures whole seconds, at least 1");
        }
    }

    @Override
    public String name() {
        return "wrk";
    }

    @Override
    public String title() {
        return "The client beside wrk";
    }

    @Override
    public String explanation() {
        return String.format(
                Locale.ROOT,
                "`wrk -t1 -c%d -d%ds --latency` and a closed loop of `loadtest` with as many connections, each with one thread,"
                        + " load the same server one after the other, after %d s of warm-up by each; which is first changes"
                        + " from round to round. `%s` is a small servlet that is asked as fast as the client can; `%s` takes"
                        + " 5 ms, on %d threads, so that no request waits for one and medians can be compared. Failed are"
                        + " answers that are no success, and connections that broke, of both.",
                connections,
                seconds,
                warmUp,
                SMALL,
                SLOW,
                connections);
    }

    @Override
    public String partTitle() {
        return "asked for";
    }

    @Override
    public List<Measure> columns() {
        return List.of(WRK_SPEED, OWN_SPEED, RATIO, WRK_P50, OWN_P50, DIFFERENCE, FAILED);
    }

    @Override
    public int connections() {
        return connections;
    }

    @Override
    public void measure(Server server, Launch launch, Recorder recorder) throws IOException, InterruptedException {
        measure(SMALL, AS_IT_IS, launch, recorder);
        measure(SLOW, connections, launch, recorder);
    }

    private void measure(String path, int workers, Launch launch, Recorder recorder)
            throws IOException, InterruptedException {
        try (ServerProcess process = launch.start(common -> workers == AS_IT_IS ? common : more(common, workers));
                ClientLoop loop = ClientLoop.start(connections)) {
            recorder.started(process);
            Results.Round round = recorder.part(path);
            wrk.load(process.uri(path), connections, warmUp);
            own(process, path, loop, warmUp);
            boolean wrkFirst = round.number() % 2 == 1;
            LoadResult before = wrkFirst ? null : own(process, path, loop, seconds);
            WrkOutput other = wrk.load(process.uri(path), connections, seconds);
            LoadResult own = before == null ? own(process, path, loop, seconds) : before;
            write(round, other, own);
        }
    }

    private static ServerOptions more(ServerOptions common, int workers) {
        return common.withWorkers(workers);
    }

    private LoadResult own(ServerProcess process, String path, ClientLoop loop, int time)
            throws IOException, InterruptedException {
        ClosedPlan plan = ClosedPlan.of(Request.get(process.target(path)), connections, Duration.ofSeconds(time));
        LoadResult result = new ClosedLoop(loop, plan).await();
        if (result.answered() == 0) {
            throw new IOException("nothing was answered: " + result.firstTrouble());
        }
        return result;
    }

    private static void write(Results.Round round, WrkOutput wrk, LoadResult own) {
        round.put(WRK_SPEED, wrk.perSecond())
                .put(OWN_SPEED, own.perSecond())
                .put(RATIO, own.perSecond() / wrk.perSecond())
                .put(WRK_P50, wrk.p50Millis())
                .put(OWN_P50, own.millis(50))
                .put(DIFFERENCE, PERCENT * (own.millis(50) - wrk.p50Millis()) / wrk.p50Millis())
                .put(FAILED, wrk.failed() + own.failed() + own.non2xx());
    }
}

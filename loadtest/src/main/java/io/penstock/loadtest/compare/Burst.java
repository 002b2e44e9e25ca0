package io.penstock.loadtest.compare;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.crowd.CrowdPlan;
import io.penstock.loadtest.crowd.RunningCrowd;
import io.penstock.loadtest.crowd.SlowClient;
import io.penstock.loadtest.crowd.SlowClient.Manner;
import io.penstock.loadtest.crowd.Tally;
import io.penstock.loadtest.load.Load;
import io.penstock.loadtest.load.LoadResult;
import io.penstock.loadtest.load.OpenLoop;
import io.penstock.loadtest.load.OpenPlan;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Slow readers that all connect at the same time, and a few normal requests meanwhile.
 *
 * @param bytes the size of the response to each slow reader, in bytes
 * @param requests the number of normal requests
 */
record Burst(int readers, long bytes, int requests) implements Job.Alone {
    private static final String HELLO = "/hello";
    private static final Duration TO_GATHER = Duration.ofSeconds(60);
    private static final int BUFFER = 16 << 10;
    private static final int REQUESTS_PER_SECOND = 10;

    /** The time in which the slow readers connect. Normal requests that are due in this time are not counted. */
    private static final Duration TO_COME = Duration.ofMillis(200);

    private static final long IN_TIME = TimeUnit.SECONDS.toNanos(1);

    @Override
    public int connections() {
        return readers + requests;
    }

    @Override
    public int files() {
        return readers;
    }

    @Override
    public void measure(Stage stage, Server server, Figures figures) throws IOException, InterruptedException {
        try (ServerProcess process = stage.start(server)) {
            String path = "/generated?bytes=" + bytes;
            Duration half = stage.sizes().warmUp().dividedBy(2);
            stage.send(process.target(path), Requests.get(path, bytes, 2), half, new Figures());
            stage.send(process.target(HELLO), Requests.get(HELLO, 13, 16), half, new Figures());
            OpenPlan plan = OpenPlan.ofRequests(Request.get(process.target(HELLO)), REQUESTS_PER_SECOND, requests)
                    .withWarmUp(TO_COME);
            CrowdPlan crowdPlan = CrowdPlan.of(readers, SlowClient.READER, Manner.to(process.target(path)));
            try (ClientLoop normal = ClientLoop.start(plan.maxConnections());
                    ClientLoop slow = ClientLoop.start(stage.clients(readers).withSocketBuffers(BUFFER, BUFFER))) {
                CompletableFuture<LoadResult> load = new OpenLoop(normal, plan).start();
                try (RunningCrowd crowd = RunningCrowd.gatherReachable(slow, crowdPlan, TO_GATHER)) {
                    put(figures, Load.await(load, plan.patience()), crowd.tally());
                }
            }
        }
    }

    private static void put(Figures figures, LoadResult result, Tally tally) {
        figures.put(Figure.IN_TIME, result.latency().getCountBetweenValues(0, IN_TIME))
                .put(Figure.LONGEST, result.isAllAnswered() ? result.millis(100) : Double.POSITIVE_INFINITY)
                .failed(result);
        if (!tally.isComplete()) {
            figures.note("only " + tally.standing() + " of " + tally.size() + " readers were connected");
        }
    }
}

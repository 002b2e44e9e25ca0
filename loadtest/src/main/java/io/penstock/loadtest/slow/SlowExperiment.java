package io.penstock.loadtest.slow;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.OnLoop;
import io.penstock.loadtest.crowd.CrowdPlan;
import io.penstock.loadtest.crowd.RunningCrowd;
import io.penstock.loadtest.load.LoadResult;
import io.penstock.loadtest.load.OpenLoop;
import io.penstock.loadtest.load.OpenPlan;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;

/**
 * Sends requests at a constant rate, alternately without slow clients and while slow clients are connected. The runs alternate so that
 * other work of the machine affects both kinds of runs.
 *
 * <p>Thread: the thread that waits for the result. The requests are sent on the thread of the {@link ClientLoop}.
 */
final class SlowExperiment {
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
        settle();
    }

    private LoadResult requests(OpenPlan plan) throws IOException, InterruptedException {
        return new OpenLoop(loop, plan).await();
    }

    /** Gives the server time to notice that the slow clients have disconnected. */
    private void settle() throws IOException, InterruptedException {
        CompletableFuture<Boolean> settled = OnLoop.begin(loop, () -> {
            CompletableFuture<Boolean> later = new CompletableFuture<>();
            loop.after(MILLIS_TO_SETTLE, () -> later.complete(true));
            return later;
        });
        try {
            OnLoop.await(settled, TO_GATHER);
        } catch (TimeoutException stuck) {
            throw new IOException("The load test's client does not run its tasks in time", stuck);
        }
    }
}

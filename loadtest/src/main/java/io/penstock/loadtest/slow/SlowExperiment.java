package io.penstock.loadtest.slow;

import io.penstock.loadtest.client.ClientLoop;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Runs of steady requests, alternately alone and beside a crowd, so that whatever else the machine does falls on both.
 *
 * <p>Thread: the one that waits for the outcome; all that is measured happens on the loop.
 */
final class SlowExperiment {
    private static final int SECONDS_TO_GATHER = 60;
    private static final int MILLIS_TO_SETTLE = 1000;

    private final ClientLoop loop;
    private final SteadyPlan steady;
    private final CrowdPlan crowdPlan;
    private final Report report;

    SlowExperiment(ClientLoop loop, SteadyPlan steady, CrowdPlan crowdPlan, Report report) {
        this.loop = loop;
        this.steady = steady;
        this.crowdPlan = crowdPlan;
        this.report = report;
    }

    /** Runs it all; true if the bar is met. */
    boolean run(int warmUp, int rounds) throws IOException, InterruptedException {
        RunResult first = requests(steady.ofRequests(warmUp));
        if (first.answered() == 0) {
            throw new IOException("Not one request was answered well: " + first.firstTrouble());
        }
        report.begin();
        for (int round = 0; round < rounds; round++) {
            report.addUnloaded(requests(steady));
            runLoaded();
        }
        return report.end();
    }

    private void runLoaded() throws IOException, InterruptedException {
        Crowd crowd = new Crowd(loop, crowdPlan);
        try {
            await(crowd::gather, SECONDS_TO_GATHER);
        } catch (TimeoutException incomplete) {
            throw new IOException(await(() -> CompletableFuture.completedFuture(crowd.progress())), incomplete);
        }
        settle();
        RunResult result = requests(steady);
        Crowd.Tally tally = await(() -> CompletableFuture.completedFuture(crowd.disperse()));
        report.addLoaded(result, tally);
        settle();
    }

    private RunResult requests(SteadyPlan plan) throws IOException, InterruptedException {
        return await(() -> new SteadyRequests(loop, plan).run());
    }

    /** Lets the server see what has come and gone. */
    private void settle() throws IOException, InterruptedException {
        await(() -> {
            CompletableFuture<Void> settled = new CompletableFuture<>();
            loop.after(MILLIS_TO_SETTLE, () -> settled.complete(null));
            return settled;
        });
    }

    /** Every request has a deadline, so this ends without one. */
    private <T> T await(Supplier<CompletableFuture<T>> task) throws IOException, InterruptedException {
        try {
            return await(task, Integer.MAX_VALUE);
        } catch (TimeoutException impossible) {
            throw new IOException("A run has not ended", impossible);
        }
    }

    /** Runs the task on the loop and waits for what it promises, or for the end of the loop. */
    private <T> T await(Supplier<CompletableFuture<T>> task, int seconds)
            throws IOException, InterruptedException, TimeoutException {
        CompletableFuture<T> outcome = new CompletableFuture<>();
        loop.execute(() -> {
            var unused = task.get().thenAccept(outcome::complete);
        });
        try {
            CompletableFuture.anyOf(outcome, loop.ended()).get(seconds, TimeUnit.SECONDS);
            return outcome.getNow(null);
        } catch (ExecutionException failed) {
            throw new IOException("The client has failed: " + failed.getCause(), failed);
        }
    }
}

package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.ClientSettings;
import io.penstock.loadtest.client.OnLoop;
import io.penstock.loadtest.load.OpenPlan;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerProcess;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Measures a server that receives many more requests than it can answer. Also measures the time until the server has recovered from this
 * overload.
 */
record OverloadScenario(OverloadPlan plan) implements Scenario {
    private static final int IN_A_ROW = 20;

    @Override
    public String name() {
        return "overload";
    }

    @Override
    public String title() {
        return "More requests than a server can answer";
    }

    @Override
    public String explanation() {
        return String.format(
                        Locale.ROOT,
                        "A servlet takes %d ms on %d threads, on every server: %.0f requests a second at most. %,d a"
                                + " second are sent for %d s. *Good* are answers with status 200 that are complete within %d ms; after that"
                                + " time a client closes its connection. They are counted while the overload lasts. All latencies"
                                + " count from the moment at which a request was due. A 503 is *for age* if it comes when the"
                                + " request has reached the age that is set. The server itself counts the requests that it refused"
                                + " when it found overload. The same number of the other 503, the latest of them, are *503 when"
                                + " overload was found*; the rest are *503 at once*. After the overload %d requests a"
                                + " second are sent. The server is *normal again* with the first of %d answers in a"
                                + " row that take at most twice the median from before the overload. ",
                        plan.millis(),
                        plan.workers(),
                        plan.capacity(),
                        plan.rate(),
                        plan.duration().toSeconds(),
                        plan.deadline().toMillis(),
                        plan.normalRate(),
                        IN_A_ROW)
                + String.format(
                        Locale.ROOT,
                        "The bars: good at least %.0f %% of capacity; p99.9 of 503 at once less than %.0f ms, and of 503"
                                + " for age at most %.0f ms beyond the age; normal again within %d ms. Every server has its own"
                                + " defaults except for these threads, since the defaults decide what happens to requests that it"
                                + " cannot answer. Penstock is also measured with one changed default.",
                        OverloadRow.LEAST_SHARE,
                        OverloadRow.MOST_REFUSAL_MILLIS,
                        OverloadRow.MOST_BEYOND_AGE_MILLIS,
                        OverloadRow.MOST_RECOVERY_MILLIS);
    }

    @Override
    public String partTitle() {
        return "setting";
    }

    @Override
    public List<Measure> columns() {
        return OverloadRow.columns(plan);
    }

    @Override
    public String settings() {
        return "each with its own defaults, except for " + plan.workers()
                + " threads that run servlets, and for the setting in its row";
    }

    @Override
    public int connections() {
        return plan.connections();
    }

    @Override
    public void measure(Server server, Launch launch, Recorder recorder) throws InterruptedException {
        for (OverloadSetup setup : plan.setups(server)) {
            OverloadRow row = new OverloadRow(recorder.part(setup.name()), plan, setup);
            try {
                measure(setup, row, launch, recorder);
            } catch (IOException failed) {
                // After this failure, the server is still measured with its other settings.
                recorder.fail(String.valueOf(failed.getMessage()));
            }
        }
    }

    private void measure(OverloadSetup setup, OverloadRow row, Launch launch, Recorder recorder)
            throws IOException, InterruptedException {
        ClientSettings clients = ClientSettings.defaults().withMaxConnections(plan.connections());
        try (ServerProcess process = launch.start(common -> setup.of(common.withWorkers(plan.workers())));
                ClientLoop loop = ClientLoop.start(clients)) {
            recorder.started(process);
            long normal = normalLatency(process, loop);
            row.putNormal(normal);
            overload(process, loop, normal, row);
        }
    }

    /** Measures the median of the latency under normal load, in nanoseconds. */
    private long normalLatency(ServerProcess process, ClientLoop loop) throws IOException, InterruptedException {
        OpenPlan rate = plan.normal(process.target(plan.path()), plan.before());
        Answers answers = new Watch(process).until(Offer.begin(loop, rate), rate.patience());
        if (answers.good() == 0) {
            throw new IOException("no request was answered before the overload: " + answers.firstTrouble());
        }
        return TimeUnit.MICROSECONDS.toNanos(answers.latencies(Answer::isGood).getValueAtPercentile(50));
    }

    private void overload(ServerProcess process, ClientLoop loop, long normal, OverloadRow row)
            throws IOException, InterruptedException {
        OpenPlan overload = plan.overload(process.target(plan.path()));
        OpenPlan after = plan.normal(process.target(plan.path()), plan.after());
        Watch watch = new Watch(process);
        CompletableFuture<Answers> during = Offer.begin(loop, overload);
        CompletableFuture<Answers> afterwards = OnLoop.begin(loop, () -> later(loop, overload, after));
        row.putDuring(watch.until(during, overload.patience()), watch);
        Answers recovering = watch.until(afterwards, after.patience());
        row.putRecovery(new Recovery(normal, IN_A_ROW).millis(recovering.all()));
    }

    /** Starts the second load at the planned end of the first load. */
    private static CompletableFuture<Answers> later(ClientLoop loop, OpenPlan first, OpenPlan second) {
        CompletableFuture<Answers> outcome = new CompletableFuture<>();
        loop.after(first.duration().toMillis(), () -> {
            var unused = Offer.begin(loop, second).thenAccept(outcome::complete);
        });
        return outcome;
    }
}

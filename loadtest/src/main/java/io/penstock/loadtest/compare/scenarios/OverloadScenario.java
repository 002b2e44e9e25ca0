package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.ClientSettings;
import io.penstock.loadtest.client.OnLoop;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.peers.ServerProcess;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** What a server does with many times the requests that it can answer, and when it is itself again. */
record OverloadScenario(OverloadPlan plan) implements Scenario {
    private static final Measure NORMAL = Measure.tenths("normalMillis", "p50 before, ms");
    private static final Measure GOODPUT = Measure.tenths("goodput", "good, 1/s");
    private static final Measure SHARE = Measure.tenths("shareOfCapacity", "of capacity, %");
    private static final Measure GOOD_P99 = Measure.whole("goodP99Millis", "p99 of good, ms");
    private static final Measure REFUSED = Measure.tenths("refusedShare", "503, %");
    private static final Measure REFUSED_P50 = Measure.tenths("refusedP50Millis", "p50 of 503, ms");
    private static final Measure REFUSED_P99 = Measure.tenths("refusedP99Millis", "p99");
    private static final Measure REFUSED_P999 = Measure.tenths("refusedP999Millis", "p99.9");
    private static final Measure TIMEOUTS = Measure.tenths("timeoutShare", "no answer in time, %");
    private static final Measure CONNECT = Measure.tenths("connectErrorShare", "connect errors, %");
    private static final Measure BROKEN = Measure.tenths("brokenShare", "other, %");
    private static final Measure CALLS = Measure.whole("callsOpen", "calls of service open");
    private static final Measure RESIDENT = Measure.whole("residentMegabytes", "resident, MB");
    private static final Measure RECOVERY = Measure.whole("recoveryMillis", "normal again after, ms");
    private static final Measure NOTE = Measure.text("note", "note");
    private static final int IN_A_ROW = 20;
    private static final int PERCENT = 100;

    @Override
    public String name() {
        return "overload";
    }

    @Override
    public String title() {
        return "Many times the requests that can be answered";
    }

    @Override
    public String explanation() {
        return String.format(
                Locale.ROOT,
                "A servlet that takes %d ms on %d threads, on every server: %.0f requests a second at most. %,d a second are"
                        + " offered for %d s. Good are answers 200 within %d ms, counted while the overload lasts; p99 of good"
                        + " and of 503 count from the moment at which a request was due. Then %d a second are offered: the"
                        + " server is normal again with the first of %d answers in a row within twice the median before."
                        + " Every server has its own defaults but for these threads, for what it does with what it cannot answer"
                        + " is what is measured.",
                plan.millis(),
                plan.workers(),
                plan.capacity(),
                plan.rate(),
                plan.duration().toSeconds(),
                plan.deadline().toMillis(),
                plan.normalRate(),
                IN_A_ROW);
    }

    @Override
    public String partTitle() {
        return "";
    }

    @Override
    public List<Measure> columns() {
        return List.of(
                NORMAL,
                GOODPUT,
                SHARE,
                GOOD_P99,
                REFUSED,
                REFUSED_P50,
                REFUSED_P99,
                REFUSED_P999,
                TIMEOUTS,
                CONNECT,
                BROKEN,
                CALLS,
                RESIDENT,
                RECOVERY,
                NOTE);
    }

    @Override
    public String settings() {
        return "each with its own defaults, but for " + plan.workers() + " threads that run servlets";
    }

    @Override
    public int connections() {
        return plan.connections();
    }

    @Override
    public void measure(Server server, Launch launch, Recorder recorder) throws IOException, InterruptedException {
        Results.Round round = recorder.part("");
        ClientSettings clients = ClientSettings.defaults().withMaxConnections(plan.connections());
        try (ServerProcess process = launch.start(common -> common.withWorkers(plan.workers()));
                ClientLoop loop = ClientLoop.start(clients)) {
            recorder.started(process);
            long normal = normalLatency(process, loop);
            round.put(NORMAL, normal / 1e6);
            overload(process, loop, normal, round);
        }
    }

    /** The median, in nanoseconds. */
    private long normalLatency(ServerProcess process, ClientLoop loop) throws IOException, InterruptedException {
        ConstantRate rate = plan.normal(process.target(plan.path()), plan.before());
        Answers answers = new Watch(process).until(Offer.begin(loop, rate), rate.patience());
        if (answers.good() == 0) {
            throw new IOException("not one request was answered even before the overload: " + answers.firstTrouble());
        }
        return TimeUnit.MICROSECONDS.toNanos(answers.latencies(Answer::isGood).getValueAtPercentile(50));
    }

    private void overload(ServerProcess process, ClientLoop loop, long normal, Results.Round round)
            throws IOException, InterruptedException {
        ConstantRate overload = plan.overload(process.target(plan.path()));
        ConstantRate after = plan.normal(process.target(plan.path()), plan.after());
        Watch watch = new Watch(process);
        CompletableFuture<Answers> during = Offer.begin(loop, overload);
        CompletableFuture<Answers> afterwards = OnLoop.begin(loop, () -> later(loop, overload, after));
        write(round, watch.until(during, overload.patience()), overload);
        round.put(CALLS, watch.callsOpen()).put(RESIDENT, watch.residentBytes() / 1e6);
        OptionalLong recovery = new Recovery(normal, IN_A_ROW)
                .millis(watch.until(afterwards, after.patience()).all());
        recovery.ifPresentOrElse(
                millis -> round.put(RECOVERY, millis), () -> round.put(RECOVERY, Double.POSITIVE_INFINITY)
                        .put(NOTE, "not normal again within " + plan.after().toSeconds() + " s"));
    }

    /** Offers the second load when the last request of the first one has been due. */
    private static CompletableFuture<Answers> later(ClientLoop loop, ConstantRate first, ConstantRate second) {
        CompletableFuture<Answers> outcome = new CompletableFuture<>();
        loop.after(first.duration().toMillis(), () -> {
            var unused = Offer.begin(loop, second).thenAccept(outcome::complete);
        });
        return outcome;
    }

    private void write(Results.Round round, Answers answers, ConstantRate overload) {
        long end = overload.duration().toNanos();
        long good = answers.count(answer -> answer.isGood() && answer.endNanos() <= end);
        double perSecond = good / (end / 1e9);
        round.put(GOODPUT, perSecond).put(SHARE, PERCENT * perSecond / plan.capacity());
        Answers.put(round, GOOD_P99, answers.latencies(Answer::isGood), 99);
        Histogram refused = answers.latencies(Answer::isRefusal);
        Answers.put(round, REFUSED_P50, refused, 50);
        Answers.put(round, REFUSED_P99, refused, 99);
        Answers.put(round, REFUSED_P999, refused, 99.9);
        round.put(REFUSED, share(answers, answers.count(Answer::isRefusal)))
                .put(TIMEOUTS, share(answers, answers.count(Answer::isTimeout)))
                .put(CONNECT, share(answers, answers.count(Answer::isConnectError)))
                .put(BROKEN, share(answers, answers.broken() + answers.count(Answer::isOtherStatus)));
    }

    private static double share(Answers answers, long count) {
        return answers.count() == 0 ? 0 : PERCENT * count / (double) answers.count();
    }
}

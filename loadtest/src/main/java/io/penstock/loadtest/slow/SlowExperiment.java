package io.penstock.loadtest.slow;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.OnLoop;
import io.penstock.loadtest.crowd.Bar;
import io.penstock.loadtest.crowd.CrowdPlan;
import io.penstock.loadtest.crowd.RunningCrowd;
import io.penstock.loadtest.crowd.Tally;
import io.penstock.loadtest.load.LoadResult;
import io.penstock.loadtest.load.OpenLoop;
import io.penstock.loadtest.load.OpenPlan;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.HdrHistogram.Histogram;

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
                    "run", "requests", "answered", "refused", "failed", "p50 ms", "p99 ms", "max ms", "slow clients");
        }

        void addUnloaded(LoadResult result) {
            unloaded.add(result);
            printRun("unloaded", result, "");
        }

        void addLoaded(LoadResult result, Tally crowd) {
            loaded.add(result);
            printRun("loaded", result, crowd.describe());
        }

        /** Prints the result of all runs. Returns true if all requests of all runs were answered and the {@link Bar} is met. */
        boolean end() {
            boolean complete = unloaded.stream().allMatch(LoadResult::isAllAnswered)
                    && loaded.stream().allMatch(LoadResult::isAllAnswered);
            if (!complete) {
                print("Not all requests were answered: the target is missed");
                return false;
            }
            Bar bar = new Bar(p99(unloaded), p99(loaded));
            print(
                    "All requests were answered; p99 %.3f ms without slow clients, %.3f ms with them, at most"
                            + " %.3f ms allowed: the target is %s",
                    bar.unloaded() / 1e3, bar.loaded() / 1e3, bar.allowed() / 1e3, bar.isMet() ? "met" : "missed");
            return bar.isMet();
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

package io.penstock.loadtest.slow;

import io.penstock.loadtest.crowd.Bar;
import io.penstock.loadtest.crowd.Tally;
import io.penstock.loadtest.load.LoadResult;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Prints one line for each run, and the result of all runs at the end. */
final class Report {
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

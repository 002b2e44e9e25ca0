package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.compare.setup.OtherPrograms;
import io.penstock.loadtest.peers.Server;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Shows which server is being measured and the estimated remaining time. Saves the results after each measurement.
 *
 * <p>Thread: the thread that measures.
 */
final class ScenarioProgress {
    private static final Duration TWO_MINUTES = Duration.ofMinutes(2);

    private final PrintWriter err;
    private final Report report;
    private final int rounds;
    private final int runs;
    private final @Nullable Path folder;
    private final long start = System.nanoTime();
    private int done;

    ScenarioProgress(PrintWriter err, Report report, int rounds, int servers, @Nullable Path folder) {
        this.err = err;
        this.report = report;
        this.rounds = rounds;
        this.runs = rounds * servers;
        this.folder = folder;
    }

    void onBegin(Server server, int round) {
        err.printf(
                Locale.ROOT,
                "[%d of %d] %s: %s, round %d of %d%s%n",
                done + 1,
                runs,
                report.scenario().name(),
                server.id(),
                round,
                rounds,
                left(Duration.ofNanos(System.nanoTime() - start), done, runs));
        err.flush();
    }

    /** Reports that the measurement of a server is repeated, since other programs disturbed it. */
    void onDisturbed(Server server, double othersUsed) {
        err.printf(
                Locale.ROOT,
                "%s: %s again: other programs used %s of this machine%n",
                report.scenario().name(),
                server.id(),
                OtherPrograms.percent(othersUsed));
        err.flush();
    }

    /** Reports that the repetition has failed. The results then contain the disturbed measurement. */
    void onRepetitionFailed(Server server, IOException failed) {
        err.printf(
                Locale.ROOT,
                "%s: %s: %s%n",
                report.scenario().name(),
                server.id(),
                OtherPrograms.repetitionFailed(failed));
        err.flush();
    }

    void onEnd() throws IOException {
        done++;
        if (folder != null && !report.results().isClosed()) {
            report.save(folder);
        }
    }

    /** Estimates the remaining time from the time of the runs so far. Before the end of the first run, the text is empty. */
    static String left(Duration elapsed, int done, int runs) {
        if (done == 0) {
            return "";
        }
        Duration left = elapsed.multipliedBy(runs - (long) done).dividedBy(done);
        return left.compareTo(TWO_MINUTES) < 0
                ? ", about " + Math.max(1, left.toSeconds()) + " s left"
                : ", about " + (left.toSeconds() + 30) / 60 + " min left";
    }
}

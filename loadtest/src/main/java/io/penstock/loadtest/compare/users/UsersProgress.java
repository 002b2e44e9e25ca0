package io.penstock.loadtest.compare.users;

import io.penstock.loadtest.compare.setup.Lineup;
import io.penstock.loadtest.compare.setup.OtherPrograms;
import io.penstock.loadtest.peers.Server;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Shows the progress of the experiment, and saves the results after every run. Thread: the thread that measures. */
final class UsersProgress {
    private final PrintWriter err;
    private final UsersPlan plan;
    private final Lineup lineup;
    private final UsersResults results;
    private final UsersReport report;
    private final @Nullable Path folder;
    private int runs;

    UsersProgress(
            PrintWriter err,
            UsersPlan plan,
            Lineup lineup,
            UsersResults results,
            UsersReport report,
            @Nullable Path folder) {
        this.err = err;
        this.plan = plan;
        this.lineup = lineup;
        this.results = results;
        this.report = report;
        this.folder = folder;
    }

    void begin() {
        lineup.leftOut().forEach(err::println);
        int servers = lineup.servers().size();
        err.printf(
                Locale.ROOT,
                "%d servers, %d numbers of users, %d rounds: %d runs, about %s%n",
                servers,
                plan.users().size(),
                plan.rounds(),
                plan.runs(servers),
                text(plan.estimate(servers)));
        err.flush();
    }

    void onRun(List<Run> run) throws IOException {
        runs++;
        Run first = run.get(0);
        String figures = run.stream()
                .map(one -> String.format(
                        Locale.ROOT,
                        "%s %.0f/s, p99 %s, %.0f connect errors/min",
                        one.asked().id(),
                        one.answersPerSecond(),
                        Double.isNaN(one.p99Micros()) ? "none" : Quantity.P99.write(one.p99Micros() / 1e3) + " ms",
                        one.connectErrorsPerMinute()))
                .collect(Collectors.joining("; "));
        err.printf(
                Locale.ROOT,
                "[%d of %d] %d users, round %d, %s: %s%n",
                runs,
                plan.runs(lineup.servers().size()),
                first.users(),
                first.round(),
                first.server(),
                figures);
        err.flush();
        save();
    }

    /** Reports that a turn is repeated, since other programs disturbed it. */
    void onDisturbed(Server server, int users, double othersUsed) {
        err.printf(
                Locale.ROOT,
                "%d users, %s again: other programs used %s of this machine%n",
                users,
                server.id(),
                OtherPrograms.percent(othersUsed));
        err.flush();
    }

    void onGap(Server server, int users, String reason) throws IOException {
        err.printf(Locale.ROOT, "%d users, %s: not measured: %s%n", users, server.id(), reason);
        err.flush();
        save();
    }

    private void save() throws IOException {
        if (folder != null && !results.isEmpty()) {
            report.savePartial(folder);
        }
    }

    private static String text(Duration duration) {
        return duration.compareTo(Duration.ofMinutes(2)) < 0
                ? duration.toSeconds() + " s"
                : (duration.toSeconds() + 30) / 60 + " min";
    }
}

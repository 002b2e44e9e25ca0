package io.penstock.loadtest.compare.rows;

import io.penstock.loadtest.compare.setup.OtherPrograms;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Shows the progress of the comparison, and saves the results after every turn. Thread: the thread that measures. */
final class RowsProgress {
    private static final int FIGURES = 3;

    private final PrintWriter err;
    private final int turns;
    private final RowsReport report;
    private final @Nullable Path folder;
    private int done;

    RowsProgress(PrintWriter err, int turns, RowsReport report, @Nullable Path folder) {
        this.err = err;
        this.turns = turns;
        this.report = report;
        this.folder = folder;
    }

    void onTurn(Turn turn) throws IOException {
        done++;
        String figures = turn.figures().entrySet().stream()
                .limit(FIGURES)
                .map(figure -> figure.getKey().title() + " " + figure.getKey().write(figure.getValue()))
                .collect(Collectors.joining(", "));
        say("[%d of %d] %s, round %d, %s: %s", done, turns, turn.work(), turn.round(), turn.server(), figures);
        save();
    }

    /** Reports that a turn is repeated, since other programs disturbed it. */
    void onDisturbed(String server, Work work, double othersUsed) {
        say(
                "%s, %s again: other programs used %s of this machine",
                work.id(), server, OtherPrograms.percent(othersUsed));
    }

    void onGap(String server, Work work, String reason) throws IOException {
        say("%s, %s: not measured: %s", work.id(), server, reason);
        save();
    }

    void say(String form, Object... values) {
        err.println(String.format(Locale.ROOT, form, values));
        err.flush();
    }

    private void save() throws IOException {
        if (folder != null && !report.isEmpty()) {
            report.savePartial(folder);
        }
    }
}

package io.penstock.loadtest.compare.scenarios;

import io.penstock.loadtest.compare.setup.OtherPrograms;
import io.penstock.loadtest.compare.setup.PartialResults;
import io.penstock.loadtest.report.Column;
import io.penstock.loadtest.report.Environment;
import io.penstock.loadtest.report.Json;
import io.penstock.loadtest.report.Spread;
import io.penstock.loadtest.report.Table;
import io.penstock.loadtest.report.WholeFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes the results of a {@link Scenario} as a table, as Markdown, and as files.
 *
 * @param others the object that measures how much of the machine other programs use, since they can disturb the measurement
 * @param setting the settings that all servers share, in sentences
 */
record Report(Scenario scenario, Results results, OtherPrograms others, Environment environment, String setting)
        implements PartialResults.Report {
    private static final String SERVER = "server";
    private static final String FAILURE = "could not be measured";
    private static final String DISTURBED = "disturbed by other programs";
    private static final String DASH = "–";
    private static final String STARTED = "Command lines of the servers, without port and folders:";

    /**
     * A table with one row for each server and part of the scenario. A cell has the median of all rounds; with more than one round, it also
     * has the lowest and highest value.
     */
    Table table() {
        boolean failures =
                results.rows().stream().anyMatch(key -> !results.failures(key).isEmpty());
        boolean disturbances =
                results.rows().stream().anyMatch(key -> !disturbance(key).isEmpty());
        Table table = new Table(headings(failures, disturbances));
        for (Results.Key key : results.rows()) {
            List<@Nullable Object> cells = new ArrayList<>();
            cells.add(results.titleOf(key));
            if (hasParts()) {
                cells.add(key.part());
            }
            results.columns().forEach(column -> cells.add(cell(key, column)));
            if (failures) {
                cells.add(String.join("; ", results.failures(key)));
            }
            if (disturbances) {
                cells.add(disturbance(key));
            }
            table.add(cells.toArray());
        }
        return table;
    }

    /** A table of all rounds with all measurements of each round. */
    Table rounds() {
        List<Column> headings = new ArrayList<>();
        headings.add(Column.text(SERVER));
        headings.add(Column.text("part"));
        headings.add(Column.count("round"));
        results.columns().forEach(column -> headings.add(Column.text(column.key())));
        headings.add(Column.text("failure"));
        boolean watched = results.rows().stream()
                .flatMap(key -> results.roundsOf(key).stream())
                .anyMatch(round -> !Double.isNaN(round.othersUsed()));
        if (watched) {
            headings.add(Column.number("othersUsed", 3));
        }
        Table table = new Table(headings.toArray(Column[]::new));
        for (Results.Key key : results.rows()) {
            for (Results.Round round : results.roundsOf(key)) {
                List<@Nullable Object> cells = new ArrayList<>(List.of(key.server(), key.part(), round.number()));
                results.columns().forEach(column -> cells.add(value(round, column)));
                cells.add(round.failure());
                if (watched) {
                    cells.add(round.othersUsed());
                }
                table.add(cells.toArray());
            }
        }
        return table;
    }

    /** The result as a section in Markdown, for a page of {@code docs/results}. */
    String markdown() {
        return "## " + scenario.title() + "\n\n" + scenario.explanation() + "\n\n" + table().markdown() + "\n"
                + setting + "\n\n" + commands("- ", "`", "\n") + environment.markdown() + "- " + others.verdict()
                + "\n";
    }

    @Override
    public boolean isEmpty() {
        return results.isEmpty();
    }

    @Override
    public void close() {
        results.close();
    }

    @Override
    public void savePartial(Path folder) throws IOException {
        save(folder);
    }

    /** The result as plain text. */
    @Override
    public String text() {
        return scenario.title() + "\n\n" + table().text() + "\n" + setting + "\n" + commands("  ", "", "")
                + environment.line() + "\n" + environment.command() + "\n" + others.verdict() + "\n";
    }

    /** The commands that started the servers, one per line; empty if no server was started. */
    private String commands(String bullet, String quote, String blankLine) {
        StringBuilder text = new StringBuilder();
        results.commands()
                .forEach((title, commands) -> commands.forEach(command -> text.append(bullet)
                        .append(title)
                        .append(": ")
                        .append(quote)
                        .append(command)
                        .append(quote)
                        .append('\n')));
        return text.isEmpty() ? "" : STARTED + "\n" + blankLine + text + blankLine;
    }

    /**
     * Writes the table, a JSON file and a CSV file into an existing folder. Each file is replaced in one step, so a reader never sees a
     * partly written file.
     */
    void save(Path folder) throws IOException {
        synchronized (results) {
            WholeFile.write(folder.resolve(scenario.name() + ".txt"), text());
            rounds().saveCsv(folder.resolve(scenario.name() + ".csv"));
            Json.save(folder.resolve(scenario.name() + ".json"), json());
        }
    }

    private Map<String, Object> json() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("scenario", scenario.name());
        all.put("explanation", scenario.explanation());
        all.put("setting", setting);
        all.put("commands", results.commands());
        all.put("environment", environment);
        all.put("otherPrograms", others.verdict());
        all.put("rounds", rounds());
        return all;
    }

    /**
     * The maximum share of the machine that other programs used in the disturbed rounds of the row. It is empty if no round was disturbed.
     */
    private String disturbance(Results.Key key) {
        List<Results.Round> rounds = results.roundsOf(key);
        List<Double> disturbed = rounds.stream()
                .map(Results.Round::othersUsed)
                .filter(OtherPrograms::disturb)
                .toList();
        return disturbed.isEmpty()
                ? ""
                : "used up to " + OtherPrograms.percent(Collections.max(disturbed)) + " of the machine in "
                        + disturbed.size() + " of " + rounds.size() + " rounds";
    }

    private Column[] headings(boolean failures, boolean disturbances) {
        List<Column> headings = new ArrayList<>();
        headings.add(Column.text(SERVER));
        if (hasParts()) {
            headings.add(Column.text(scenario.partTitle()));
        }
        for (Measure column : results.columns()) {
            headings.add(column.isText() ? Column.text(column.title()) : Column.count(column.title()));
        }
        if (failures) {
            headings.add(Column.text(FAILURE));
        }
        if (disturbances) {
            headings.add(Column.text(DISTURBED));
        }
        return headings.toArray(Column[]::new);
    }

    private boolean hasParts() {
        return !scenario.partTitle().isEmpty();
    }

    private String cell(Results.Key key, Measure column) {
        if (column.isText()) {
            return results.text(key, column);
        }
        List<Double> numbers = results.numbers(key, column);
        if (numbers.isEmpty()) {
            return "";
        }
        Spread spread = Spread.of(numbers);
        String median = column.write(spread.median());
        return numbers.size() == 1
                ? median
                : median + " (" + column.write(spread.lowest()) + DASH + column.write(spread.highest()) + ")";
    }

    private static @Nullable Object value(Results.Round round, Measure column) {
        if (column.isText()) {
            return round.text(column);
        }
        Double number = round.number(column);
        return number != null && number.isInfinite() ? column.write(number) : number;
    }
}

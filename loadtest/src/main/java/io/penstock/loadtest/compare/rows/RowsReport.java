package io.penstock.loadtest.compare.rows;

import io.penstock.loadtest.cli.DurationConverter;
import io.penstock.loadtest.compare.setup.Lineup;
import io.penstock.loadtest.compare.setup.OtherPrograms;
import io.penstock.loadtest.compare.setup.PartialResults;
import io.penstock.loadtest.peers.JvmSettings;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.report.Column;
import io.penstock.loadtest.report.Environment;
import io.penstock.loadtest.report.Json;
import io.penstock.loadtest.report.ResultCsv;
import io.penstock.loadtest.report.Spread;
import io.penstock.loadtest.report.Table;
import io.penstock.loadtest.report.WholeFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes the results of a comparison: one table with the {@link Bar} of each row, a table of all measurements, and files. Thread: any for
 * {@link #text} and {@link #savePartial}; one thread for all other methods.
 */
final class RowsReport implements PartialResults.Report {
    /** Marks the outcome of a row whose measurement other programs disturbed. */
    private static final String DISTURBED = " (!)";

    private final RowsPlan plan;
    private final Clients clients;
    private final Lineup lineup;
    private final JvmSettings jvm;
    private final OtherPrograms others;
    private final RowsResults results;
    private final Environment environment;

    RowsReport(
            RowsPlan plan,
            Clients clients,
            Lineup lineup,
            JvmSettings jvm,
            OtherPrograms others,
            RowsResults results,
            Environment environment) {
        this.plan = plan;
        this.clients = clients;
        this.lineup = lineup;
        this.jvm = jvm;
        this.others = others;
        this.results = results;
        this.environment = environment;
    }

    @Override
    public boolean isEmpty() {
        return results.isEmpty();
    }

    @Override
    public void close() {
        results.close();
    }

    /** A table with one row for each bar: the medians of all servers, the ratio, and whether the bar is met. */
    Table rows() {
        List<String> extra = Contender.EXTRA.stream()
                .filter(id ->
                        results.turns().stream().anyMatch(turn -> turn.server().equals(id)))
                .toList();
        List<Column> columns = new ArrayList<>(List.of(Column.text("work"), Column.text("figure")));
        lineup.servers().forEach(server -> columns.add(Column.count(results.titleOf(server.id()))));
        extra.forEach(id -> columns.add(Column.count(results.titleOf(id))));
        columns.addAll(List.of(Column.count("ratio"), Column.text("bar"), Column.text("outcome"), Column.text("why")));
        Table table = new Table(columns.toArray(Column[]::new));
        for (Work work : plan.works()) {
            for (Row row : plan.sheet().rows()) {
                if (row.work().equals(work.id())) {
                    List<@Nullable Object> cells =
                            new ArrayList<>(List.of(work.title(), row.figure().title()));
                    lineup.servers().forEach(server -> cells.add(median(server.id(), row)));
                    extra.forEach(id -> cells.add(median(id, row)));
                    cells.addAll(judged(work, row));
                    table.add(cells.toArray());
                }
            }
        }
        return table;
    }

    private @Nullable String median(String server, Row row) {
        Collection<Double> values =
                results.byRound(server, row.work(), row.figure()).values();
        return values.isEmpty() ? null : row.figure().write(Spread.of(values).median());
    }

    private List<String> judged(Work work, Row row) {
        List<Server> servers = lineup.servers().stream().filter(work::fits).toList();
        Optional<String> ours =
                servers.stream().filter(Server::isPenstock).map(Server::id).findFirst();
        List<String> peers = servers.stream()
                .filter(server -> !server.isPenstock() || server.isBefore())
                .map(Server::id)
                .toList();
        Verdict verdict = Verdict.of(row, results, ours, peers);
        String ratio = verdict.ratio().isEmpty() ? "" : ratio(verdict.ratio().getAsDouble());
        String mark = results.isDisturbed(row.work()) ? DISTURBED : "";
        String why = ours.map(server -> new Reason(row, results, server, peers).of(verdict.outcome()))
                .orElse("");
        return List.of(ratio, row.bar().toString(), verdict.outcome() + mark, why);
    }

    private static String ratio(double value) {
        return Double.isInfinite(value) ? "∞" : String.format(Locale.ROOT, "%.2f", value);
    }

    /** A table with one row for each work and server: the median, lowest and highest value of each figure. */
    Table all() {
        List<Column> columns = new ArrayList<>(List.of(Column.text("work"), Column.text("server")));
        List<Figure> figures = Arrays.stream(Figure.values())
                .filter(figure ->
                        results.turns().stream().anyMatch(turn -> turn.figures().containsKey(figure)))
                .toList();
        figures.forEach(figure -> columns.add(Column.count(figure.title())));
        columns.add(Column.text("first error"));
        Table table = new Table(columns.toArray(Column[]::new));
        for (Work work : plan.works()) {
            for (String server : contenders()) {
                List<Turn> turns = results.turns(server, work.id());
                if (!turns.isEmpty()) {
                    List<@Nullable Object> cells = new ArrayList<>(List.of(work.title(), results.titleOf(server)));
                    for (Figure figure : figures) {
                        cells.add(spread(
                                figure,
                                results.byRound(server, work.id(), figure).values()));
                    }
                    cells.add(troubles(turns));
                    table.add(cells.toArray());
                }
            }
        }
        return table;
    }

    private List<String> contenders() {
        List<String> all =
                new ArrayList<>(lineup.servers().stream().map(Server::id).toList());
        all.addAll(Contender.EXTRA);
        return all;
    }

    private static @Nullable String spread(Figure figure, Collection<Double> values) {
        if (values.isEmpty()) {
            return null;
        }
        Spread spread = Spread.of(values);
        String lowest = figure.write(spread.lowest());
        String highest = figure.write(spread.highest());
        String median = figure.write(spread.median());
        return lowest.equals(highest) ? median : median + " (" + lowest + "–" + highest + ")";
    }

    private static String troubles(List<Turn> turns) {
        return turns.stream()
                .map(Turn::firstTrouble)
                .filter(trouble -> !trouble.isEmpty())
                .distinct()
                .collect(Collectors.joining("; "));
    }

    /** A table of all turns with all their figures. Other programs read it as CSV or JSON. */
    Table turns() {
        List<Column> columns =
                new ArrayList<>(List.of(Column.text("work"), Column.text("server"), Column.count("round")));
        Arrays.stream(Figure.values())
                .map(figure -> Column.number(figure.key(), 3))
                .forEach(columns::add);
        columns.addAll(List.of(Column.text("firstTrouble"), Column.number("othersUsed", 3)));
        Table table = new Table(columns.toArray(Column[]::new));
        for (Turn turn : results.turns()) {
            List<@Nullable Object> cells = new ArrayList<>(List.of(turn.work(), turn.server(), turn.round()));
            for (Figure figure : Figure.values()) {
                Double value = turn.figures().get(figure);
                cells.add(value != null && value.isInfinite() ? figure.write(value) : value);
            }
            cells.add(turn.firstTrouble());
            cells.add(turn.othersUsed());
            table.add(cells.toArray());
        }
        return table;
    }

    private Table gaps() {
        Table table = new Table(Column.text("work"), Column.text("server"), Column.text("not measured, because"));
        for (RowsResults.Gap gap : results.gaps()) {
            table.add(gap.work(), results.titleOf(gap.server()), gap.reason());
        }
        return table;
    }

    /** The report as text for a terminal. */
    @Override
    public String text() {
        return "\n" + rows().text() + "\nAll measurements, median (lowest–highest):\n\n" + all().text()
                + (results.gaps().isEmpty() ? "" : "\n" + gaps().text()) + "\n" + conditions() + commands()
                + environment.markdown() + others.verdict();
    }

    /** Replaces the section of this comparison in the document. */
    void writeDocument(Path document) throws IOException {
        String text = rows().markdown() + "\n<details><summary>All measurements</summary>\n\n"
                + all().markdown() + "\n</details>\n\n"
                + (results.gaps().isEmpty() ? "" : gaps().markdown() + "\n") + conditions() + commands()
                + environment.markdown() + "- " + others.verdict() + "\n";
        ResultCsv.publish(document, plan.sheet().section(), text);
    }

    @Override
    public synchronized void savePartial(Path folder) throws IOException {
        WholeFile.write(folder.resolve(plan.sheet().file() + ".txt"), text() + "\n");
        turns().saveCsv(folder.resolve(plan.sheet().file() + ".csv"));
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("environment", environment);
        all.put("otherPrograms", others.verdict());
        all.put("conditions", conditions());
        all.put("terms", terms());
        all.put("earlierRuns", results.earlierRuns());
        all.put("titles", results.titles());
        all.put("commands", results.commands());
        all.put("rows", rows());
        all.put("turns", turns());
        all.put("notMeasured", results.gaps());
        Json.save(folder.resolve(plan.sheet().file() + ".json"), all);
    }

    /** The conditions of the measurement. Results of two runs can be in one table only if these conditions are the same. */
    String terms() {
        return plan.rounds() + " × " + DurationConverter.text(plan.duration()) + ", warm-up "
                + DurationConverter.text(plan.warmUp()) + ", " + clients.inWords() + ", "
                + lineup.java().text() + " " + String.join(" ", jvm.options()) + ", "
                + String.join(" ", lineup.servers().stream().map(Server::id).toList());
    }

    private String conditions() {
        StringBuilder text = new StringBuilder();
        text.append("- ").append(plan.rounds()).append(plan.rounds() == 1 ? " round of " : " rounds of ");
        text.append(DurationConverter.text(plan.duration()));
        boolean mixes = plan.works().stream().allMatch(Work.Mix.class::isInstance);
        text.append(
                mixes
                        ? " for each work and server from the start of the server, and three times that if it is warm. For"
                                + " each turn the server is started anew, and no other server runs. A warm server has had a"
                                + " warm-up of "
                        : String.format(
                                Locale.ROOT,
                                " for each work and server, and three times that for works with more than %,d"
                                        + " connections. For each work all servers are started anew. Before the first round"
                                        + " each server has a warm-up of ",
                                Work.Requests.MANY));
        text.append(DurationConverter.text(plan.warmUp()))
                .append(mixes ? ". " : ", in two halves. ")
                .append("The servers take turns, and each round begins with another server. Figures are medians of the"
                        + " rounds.\n");
        text.append("- Ratio: the figure of the first Penstock divided by the figure that the column *bar* names. If it"
                + " names none, the divisor is the figure of the best other server. The table has the median of the"
                + " ratios of all rounds.\n");
        text.append("- Clients: ").append(clients.inWords()).append(".\n");
        text.append(plan.sheet().conditions());
        if (plan.works().stream().anyMatch(work -> results.isDisturbed(work.id()))) {
            text.append("- Marked with").append(DISTURBED);
            text.append(": other programs used more than ").append(OtherPrograms.percent(OtherPrograms.BOUND));
            text.append(" of this machine in a turn of that work.\n");
        }
        text.append("- Servers: each in a JVM of its own, Java ")
                .append(lineup.java().text());
        text.append(", `")
                .append(String.join(" ", jvm.options()))
                .append(
                        "`. Those marked ‘defaults’, and those of Spring Boot, have their own default settings, and the others these: ");
        text.append(Server.TUNED_SETTINGS).append(".\n");
        lineup.leftOut().forEach(line -> text.append("- ").append(line).append(".\n"));
        results.earlierRuns().forEach(run -> text.append("- In part measured by an earlier run, ")
                .append(run)
                .append(".\n"));
        return text.toString();
    }

    /** The commands that started the servers, without port and folders, as a list in Markdown. */
    private String commands() {
        StringBuilder text = new StringBuilder();
        results.commands()
                .forEach((title, lines) -> lines.forEach(line -> text.append("- ")
                        .append(title)
                        .append(": `")
                        .append(line)
                        .append("`\n")));
        return text.toString();
    }
}

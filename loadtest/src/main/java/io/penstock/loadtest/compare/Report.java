package io.penstock.loadtest.compare;

import io.penstock.loadtest.compare.Work.Bar;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.report.Chart;
import io.penstock.loadtest.report.Chart.Axis;
import io.penstock.loadtest.report.Environment;
import io.penstock.loadtest.report.Json;
import io.penstock.loadtest.report.ResultCsv;
import io.penstock.loadtest.report.Spread;
import io.penstock.loadtest.report.Table;
import io.penstock.loadtest.report.Table.Column;
import io.penstock.loadtest.report.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes the results of a comparison: a table with the {@link Bar} of each row, a table of all measurements, and files. Thread: one. */
final class Report {
    /** Marks the outcome of a row whose measurement other programs disturbed. */
    private static final String DISTURBED = " (!)";

    private final Setup setup;
    private final OtherPrograms others;
    private final Results results;
    private final Environment environment;

    Report(Setup setup, OtherPrograms others, Results results, Environment environment) {
        this.setup = setup;
        this.others = others;
        this.results = results;
        this.environment = environment;
    }

    /** A table with one line for each bar: the medians of all servers, the ratio, and whether the bar is met. */
    Table rows() {
        List<String> extra = Contender.EXTRA.stream()
                .filter(id ->
                        results.turns().stream().anyMatch(turn -> turn.server().equals(id)))
                .toList();
        List<Column> columns = new ArrayList<>(List.of(Column.text("work"), Column.text("figure")));
        setup.lineup().servers().forEach(server -> columns.add(Column.count(results.titleOf(server.id()))));
        extra.forEach(id -> columns.add(Column.count(results.titleOf(id))));
        columns.addAll(List.of(Column.count("ratio"), Column.text("bar"), Column.text("outcome"), Column.text("why")));
        Table table = new Table(columns.toArray(Column[]::new));
        for (Work work : setup.works()) {
            for (Work.Row row : work.rows()) {
                List<@Nullable Object> cells =
                        new ArrayList<>(List.of(work.title(), row.figure().title()));
                setup.lineup().servers().forEach(server -> cells.add(median(server.id(), row)));
                extra.forEach(id -> cells.add(median(id, row)));
                cells.addAll(judged(work, row));
                table.add(cells.toArray());
            }
        }
        return table;
    }

    private @Nullable String median(String server, Work.Row row) {
        Collection<Double> values =
                results.byRound(server, row.work(), row.figure()).values();
        return values.isEmpty() ? null : row.figure().write(Spread.of(values).median());
    }

    private List<String> judged(Work work, Work.Row row) {
        List<Server> servers =
                setup.lineup().servers().stream().filter(work.job()::fits).toList();
        Optional<String> ours =
                servers.stream().filter(Server::isPenstock).map(Server::id).findFirst();
        List<String> peers = servers.stream()
                .filter(server -> !server.isPenstock() || server.isBefore())
                .map(Server::id)
                .toList();
        Verdict verdict = Verdict.of(row, results, ours, peers);
        String ratio = verdict.ratio().isEmpty() ? "" : ratio(verdict.ratio().getAsDouble());
        String mark = results.isDisturbed(row.work()) ? DISTURBED : "";
        String why =
                ours.map(server -> verdict.why(row, results, server, peers)).orElse("");
        return List.of(ratio, row.bar().toString(), verdict.outcome() + mark, why);
    }

    private static String ratio(double value) {
        return Double.isInfinite(value) ? "∞" : String.format(Locale.ROOT, "%.2f", value);
    }

    /** A table with one line for each work and server: the client, and the median, lowest and highest value of each figure. */
    Table all() {
        List<Column> columns =
                new ArrayList<>(List.of(Column.text("work"), Column.text("server"), Column.text("client")));
        List<Figure> figures = measured();
        figures.forEach(figure -> columns.add(Column.count(figure.title())));
        columns.add(Column.text("note"));
        Table table = new Table(columns.toArray(Column[]::new));
        for (Work work : setup.works()) {
            for (String server : contenders()) {
                List<Results.Turn> turns = results.turns(server, work.id());
                if (!turns.isEmpty()) {
                    List<@Nullable Object> cells = new ArrayList<>(List.of(
                            work.title(), results.titleOf(server), turns.get(0).client()));
                    for (Figure figure : figures) {
                        cells.add(spread(
                                figure,
                                results.byRound(server, work.id(), figure).values()));
                    }
                    cells.add(turns.stream()
                            .map(Results.Turn::note)
                            .filter(note -> !note.isEmpty())
                            .distinct()
                            .collect(Collectors.joining("; ")));
                    table.add(cells.toArray());
                }
            }
        }
        return table;
    }

    private List<Figure> measured() {
        return results.turns().stream()
                .flatMap(turn -> turn.figures().keySet().stream())
                .distinct()
                .sorted()
                .toList();
    }

    private List<String> contenders() {
        List<String> all = new ArrayList<>(
                setup.lineup().servers().stream().map(Server::id).toList());
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

    /** A table of all turns with all their figures. Other programs read it as CSV or JSON. */
    Table turns() {
        List<Figure> figures = measured();
        List<Column> columns = new ArrayList<>(
                List.of(Column.text("work"), Column.text("server"), Column.count("round"), Column.text("client")));
        figures.forEach(figure -> columns.add(Column.number(figure.key(), 3)));
        columns.addAll(List.of(Column.text("note"), Column.number("othersUsed", 3)));
        Table table = new Table(columns.toArray(Column[]::new));
        for (Results.Turn turn : results.turns()) {
            List<@Nullable Object> cells =
                    new ArrayList<>(List.of(turn.work(), turn.server(), turn.round(), turn.client()));
            for (Figure figure : figures) {
                Double value = turn.figures().get(figure);
                cells.add(value != null && value.isInfinite() ? figure.write(value) : value);
            }
            cells.add(turn.note());
            cells.add(turn.othersUsed());
            table.add(cells.toArray());
        }
        return table;
    }

    private Table gaps() {
        Table table = new Table(Column.text("work"), Column.text("server"), Column.text("not measured, because"));
        for (Results.Gap gap : results.gaps()) {
            table.add(gap.work(), results.titleOf(gap.server()), gap.reason());
        }
        return table;
    }

    /** The report as text for a terminal. */
    String text() {
        return "\n" + rows().text() + "\nAll measurements, median (lowest–highest):\n\n" + all().text()
                + (results.gaps().isEmpty() ? "" : "\n" + gaps().text()) + "\n" + conditions()
                + environment.markdown() + others.verdict();
    }

    /** Writes the tables and everything that explains them into {@code compare-NAME.csv}, and the pictures into {@code images}. */
    void publish(Path folder) throws IOException {
        String text = new Pictures(setup, results, environment).save(folder.resolve(Pictures.FOLDER))
                + rows().markdown() + "\n<details><summary>All measurements</summary>\n\n" + all().markdown()
                + "\n</details>\n\n" + (results.gaps().isEmpty() ? "" : gaps().markdown() + "\n") + conditions()
                + environment.markdown() + "- " + others.verdict() + "\n";
        WholeFile.write(folder.resolve("compare-" + setup.comparison().name() + ".csv"), ResultCsv.of(text.strip()));
    }

    /** Saves the results so far. Each file is replaced in one step, so a reader never sees a partly written file. */
    void save(Path folder) throws IOException {
        String name = setup.comparison().name();
        WholeFile.write(folder.resolve(name + ".txt"), text() + "\n");
        turns().saveCsv(folder.resolve(name + ".csv"));
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("environment", environment);
        all.put("otherPrograms", others.verdict());
        all.put("conditions", conditions());
        all.put("commands", results.commands());
        all.put("rows", rows());
        all.put("turns", turns());
        all.put("notMeasured", results.gaps());
        all.put(Results.Saved.KEY, results.save(terms(), environment.date() + ": `" + environment.command() + "`"));
        Json.save(folder.resolve(name + ".json"), all);
        new Pictures(setup, results, environment).save(folder);
    }

    /** The conditions of the measurement. Results of two runs can be in one table only if these conditions are the same. */
    String terms() {
        return setup.sizes().inWords() + " --client " + setup.client() + ", "
                + setup.lineup().java().text() + " "
                + String.join(" ", setup.jvm().options()) + ", "
                + setup.lineup().servers().stream().map(Server::id).collect(Collectors.joining(" "));
    }

    private String conditions() {
        List<String> lines = new ArrayList<>();
        lines.add(setup.comparison().explanation());
        lines.add("Sizes: `" + setup.sizes().inWords() + "`. The servers take turns, and each round begins with another"
                + " server. Figures are medians of the rounds. Works with more than " + Requests.MANY
                + " connections have three times the usual duration. A warm-up has two halves.");
        lines.add("Ratio: the figure of the first Penstock divided by the figure that the column *bar* names. If it"
                + " names none, the divisor is the figure of the best other server. The table has the median of the"
                + " ratios of all rounds.");
        if (setup.works().stream().anyMatch(work -> results.isDisturbed(work.id()))) {
            lines.add("Marked with" + DISTURBED + ": other programs used more than "
                    + OtherPrograms.percent(OtherPrograms.BOUND) + " of this machine in a turn of that work.");
        }
        lines.add("Servers: each in a JVM of its own, Java "
                + setup.lineup().java().text() + ", `"
                + String.join(" ", setup.jvm().options())
                + "`. Those marked ‘defaults’, and those of Spring Boot, have their own default settings, and the"
                + " others these: " + Server.TUNED_SETTINGS + ".");
        setup.lineup().leftOut().forEach(line -> lines.add(line + "."));
        results.earlierRuns().forEach(run -> lines.add("In part measured by an earlier run, " + run + "."));
        results.commands().forEach((title, all) -> all.forEach(line -> lines.add(title + ": `" + line + "`")));
        return lines.stream().map(line -> "- " + line + "\n").collect(Collectors.joining());
    }

    /** The pictures of {@code compare users}: for each content, two figures of each server for each number of users. */
    record Pictures(Setup setup, Results results, Environment environment) {
        static final String FOLDER = "images";

        /** What users ask for: the first part of the names of works, and words for the title of a picture. */
        private record Content(String name, String inWords) {}

        /** What a picture shows of the servers: words for its title, and a part of the name of its file. */
        private record Shown(Figure figure, String inWords, String name) {}

        private static final List<Content> CONTENTS = List.of(
                new Content("text", "a text file of 4 KB"), new Content("servlet", "a servlet that answers 13 bytes"));
        private static final List<Shown> FIGURES = List.of(
                new Shown(Figure.REQUESTS, "Requests per second", "requests"),
                new Shown(Figure.CONNECT_ERRORS, "Connect errors per minute", "connect-errors"));

        /** Draws each picture as PNG and as SVG. Returns Markdown that shows them; empty for a comparison without pictures. */
        String save(Path folder) throws IOException {
            StringBuilder markdown = new StringBuilder();
            for (Content content : CONTENTS) {
                List<Work> works = setup.works().stream()
                        .filter(work -> work.job() instanceof Users && work.id().startsWith(content.name()))
                        .toList();
                for (Shown shown : works.isEmpty() ? List.<Shown>of() : FIGURES) {
                    String title = shown.inWords() + " by number of users (" + content.inWords() + ")";
                    String name = "users-" + content.name() + "-" + shown.name();
                    Chart chart = draw(title, shown, works);
                    if (!chart.isEmpty()) {
                        Files.createDirectories(folder);
                        chart.save(folder.resolve(name + ".png"));
                        chart.save(folder.resolve(name + ".svg"));
                        markdown.append(String.format(
                                Locale.ROOT,
                                "![%1$s](%2$s/%3$s.svg)%n%n%1$s ([PNG](%2$s/%3$s.png))%n%n",
                                title,
                                FOLDER,
                                name));
                    }
                }
            }
            return markdown.toString();
        }

        private Chart draw(String title, Shown shown, List<Work> works) {
            Chart chart = new Chart(
                            title,
                            Axis.linear("users, each with a connection"),
                            Axis.linear(shown.inWords().toLowerCase(Locale.ROOT)))
                    .caption("Median of the rounds. " + setup.sizes().inWords()
                            + ". Servers and users on one machine; each server in its own JVM, Java "
                            + setup.lineup().java().text() + ", "
                            + String.join(" ", setup.jvm().options()))
                    .caption("Settings of all servers except ‘defaults’: " + Server.TUNED_SETTINGS)
                    .caption(environment.line());
            double[] users =
                    works.stream().mapToDouble(work -> work.job().connections()).toArray();
            List<String> disturbed = new ArrayList<>();
            for (Server server : setup.lineup().servers()) {
                double[] values = new double[users.length];
                for (int at = 0; at < users.length; at++) {
                    String work = works.get(at).id();
                    Collection<Double> rounds =
                            results.byRound(server.id(), work, shown.figure()).values();
                    // The chart leaves out a point whose value is not a number.
                    values[at] =
                            rounds.isEmpty() ? Double.NaN : Spread.of(rounds).median();
                    if (results.turns(server.id(), work).stream()
                            .anyMatch(turn -> OtherPrograms.disturb(turn.othersUsed()))) {
                        disturbed.add(results.titleOf(server.id()) + " with "
                                + works.get(at).job().connections());
                    }
                }
                chart.line(results.titleOf(server.id()), users, values);
            }
            return disturbed.isEmpty()
                    ? chart
                    : chart.caption("Disturbed by other programs: " + String.join(", ", disturbed));
        }
    }
}

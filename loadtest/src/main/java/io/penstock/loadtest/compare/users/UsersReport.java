package io.penstock.loadtest.compare.users;

import io.penstock.loadtest.cli.DurationConverter;
import io.penstock.loadtest.compare.setup.Lineup;
import io.penstock.loadtest.compare.setup.OtherPrograms;
import io.penstock.loadtest.compare.setup.PartialResults;
import io.penstock.loadtest.peers.JvmSettings;
import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.report.Environment;
import io.penstock.loadtest.report.Json;
import io.penstock.loadtest.report.ResultCsv;
import io.penstock.loadtest.report.WholeFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes the results of the comparison of users as text, as files, and as a section of a document. The output contains all information that
 * is needed to repeat the measurement. Thread: any for {@link #text} and {@link #savePartial}; one thread for all other methods.
 */
final class UsersReport implements PartialResults.Report {
    /** The name of the document's section. The markers at the beginning and end of the section contain this name. */
    static final String SECTION = "compare-users";

    private static final String IMAGES = "images";

    private final UsersPlan plan;
    private final Lineup lineup;
    private final JvmSettings jvm;
    private final Environment environment;
    private final UsersResults results;
    private final OtherPrograms others;
    private final UsersTables tables;

    UsersReport(
            UsersPlan plan,
            Lineup lineup,
            JvmSettings jvm,
            Environment environment,
            UsersResults results,
            OtherPrograms others) {
        this.plan = plan;
        this.lineup = lineup;
        this.jvm = jvm;
        this.environment = environment;
        this.results = results;
        this.others = others;
        this.tables = new UsersTables(results);
    }

    @Override
    public boolean isEmpty() {
        return results.isEmpty();
    }

    @Override
    public void close() {
        results.close();
    }

    /** The report as text for a terminal. */
    @Override
    public String text() {
        StringBuilder text = new StringBuilder();
        for (Asked asked : plan.asked()) {
            text.append("\nUsers that request ").append(asked.description()).append(", median (lowest–highest)\n\n");
            text.append(tables.all(asked).text());
        }
        text.append(gaps(tables.gaps().text()));
        return text.append('\n')
                .append(conditions())
                .append('\n')
                .append(environment.markdown())
                .append(others.verdict())
                .toString();
    }

    /** Saves the results so far. The file is replaced in one step, so a reader never sees a partly written file. */
    @Override
    public synchronized void savePartial(Path folder) throws IOException {
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        all.put("environment", environment);
        all.put("serversJava", lineup.java().text());
        all.put("serversJvmOptions", jvm.options());
        all.put("settings", Server.TUNED_SETTINGS);
        all.put("plan", plan);
        all.put("servers", results.servers().stream().collect(Collectors.toMap(id -> id, results::title)));
        all.put("leftOut", lineup.leftOut());
        all.put("runs", results.measurements());
        all.put("notMeasured", results.gaps());
        all.put("disturbed", results.disturbances());
        Json.save(folder.resolve("users.json"), all);
    }

    /** Saves all results: text, JSON, CSV and pictures. */
    void save(Path folder) throws IOException {
        savePartial(folder);
        WholeFile.write(folder.resolve("users.txt"), text());
        for (Asked asked : plan.asked()) {
            tables.numbers(asked).saveCsv(folder.resolve("users-" + asked.id() + ".csv"));
        }
        charts().save(folder, plan.asked());
    }

    private UsersCharts charts() {
        String settings = "Median of " + plan.rounds() + " rounds, each measured for "
                + DurationConverter.text(plan.duration()) + " after a warm-up of "
                + DurationConverter.text(plan.warmUp()) + "; all users start within "
                + DurationConverter.text(plan.rampUp())
                + ". Servers and users on one machine; each server in its own JVM, Java "
                + lineup.java().text() + ", " + String.join(" ", jvm.options());
        return new UsersCharts(
                results,
                List.of(
                        settings,
                        "Settings of all servers except ‘defaults’: " + Server.TUNED_SETTINGS,
                        environment.line()));
    }

    /** Replaces the section of this comparison in the document, and the pictures in this section. */
    void writeDocument(Path document) throws IOException {
        Path folder = document.toAbsolutePath().resolveSibling(IMAGES);
        charts().save(folder, plan.asked());
        ResultCsv.publish(document, SECTION, markdown());
    }

    private String markdown() {
        StringBuilder text = new StringBuilder();
        for (Asked asked : plan.asked()) {
            text.append("## Users that request ").append(asked.description()).append("\n\n");
            for (UsersCharts.Figure figure : UsersCharts.Figure.values()) {
                String image = IMAGES + "/" + figure.fileName(asked);
                text.append("![")
                        .append(figure.title(asked))
                        .append("](")
                        .append(image)
                        .append(".svg)\n\n");
                text.append(figure.title(asked))
                        .append(" ([PNG](")
                        .append(image)
                        .append(".png)):\n\n");
                text.append(tables.one(asked, figure.quantity()).markdown()).append('\n');
            }
            for (Quantity quantity : new Quantity[] {Quantity.P99, Quantity.UNANSWERED, Quantity.CPU}) {
                text.append(quantity.heading()).append(":\n\n");
                text.append(tables.one(asked, quantity).markdown()).append('\n');
            }
            text.append("<details><summary>All measurements</summary>\n\n")
                    .append(tables.all(asked).markdown())
                    .append("\n</details>\n\n");
        }
        return text.append(gaps(tables.gaps().markdown()))
                .append(conditions())
                .append('\n')
                .append(environment.markdown())
                .append("- ")
                .append(others.verdict())
                .append('\n')
                .toString();
    }

    private String ofContent() {
        return plan.asked().size() == 1
                ? " of the run"
                : " of the run of the first content. The errors of each further content count from the end of the"
                        + " run before it to the end of its own run. All runs use the same connections. So only the first content ("
                        + plan.asked().get(0).id()
                        + ") has the errors of the start";
    }

    private String gaps(String table) {
        return results.gaps().isEmpty() ? "" : "\nNot measured:\n\n" + table + "\n";
    }

    private String conditions() {
        StringBuilder text = new StringBuilder();
        text.append(
                        "- Figures: median of the rounds (lowest–highest). A connect error is an attempt that has no connection"
                                + " within 1 s; the user tries again after a second. Each error counts once. Errors count from the first"
                                + " user's start to the end")
                .append(ofContent())
                .append(". The number of errors is divided by exactly that time. All users start within ")
                .append(DurationConverter.text(plan.rampUp()));
        text.append(". Each run is measured for ").append(DurationConverter.text(plan.duration()));
        text.append(", after a warm-up of ").append(DurationConverter.text(plan.warmUp()));
        text.append(" for each content with ")
                .append(UsersPlan.WARM_UP_USERS)
                .append(" users. There are ")
                .append(plan.rounds());
        text.append(
                " rounds. Each round begins with another server. Latency counts from the sending of a request to the"
                        + " end of its answer; a request without an answer at the end of a run counts with its age. *Users without"
                        + " answer* got no answer in the measured time. CPU is that of the server alone. Heap is measured after a full"
                        + " collection while the connections are open. Heap, threads and memory are measured at the end of a run.\n");
        text.append("- Servers: each in its own JVM, Java ")
                .append(lineup.java().text());
        text.append(", `")
                .append(String.join(" ", jvm.options()))
                .append("`. All except rows marked ‘defaults’ have these settings: ");
        text.append(Server.TUNED_SETTINGS).append(".\n");
        if (others.haveDisturbed()) {
            text.append("- Marked with").append(UsersTables.DISTURBED);
            text.append(": other programs used more than ").append(OtherPrograms.percent(OtherPrograms.BOUND));
            text.append(" of this machine in one of the rounds, or in more.\n");
        }
        lineup.leftOut().forEach(line -> text.append("- ").append(line).append(".\n"));
        return text.toString();
    }
}

package io.penstock.loadtest.compare;

import io.penstock.loadtest.peers.Server;
import io.penstock.loadtest.report.Chart;
import io.penstock.loadtest.report.Chart.Axis;
import io.penstock.loadtest.report.Environment;
import io.penstock.loadtest.report.Spread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** The pictures of {@code compare users}: for each content, two figures of each server for each number of users. */
record Pictures(Setup setup, Results results, Environment environment) {
    /** The folder of the pictures beside a document. */
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
        for (Server server : setup.lineup().servers()) {
            boolean[] disturbed = new boolean[users.length];
            double[] values = new double[users.length];
            for (int at = 0; at < users.length; at++) {
                String work = works.get(at).id();
                Collection<Double> rounds =
                        results.byRound(server.id(), work, shown.figure()).values();
                // The chart leaves out a point whose value is not a number.
                values[at] = rounds.isEmpty() ? Double.NaN : Spread.of(rounds).median();
                disturbed[at] = results.turns(server.id(), work).stream()
                        .anyMatch(turn -> OtherPrograms.disturb(turn.othersUsed()));
            }
            chart.line(results.titleOf(server.id()), users, values, disturbed);
        }
        return chart;
    }
}

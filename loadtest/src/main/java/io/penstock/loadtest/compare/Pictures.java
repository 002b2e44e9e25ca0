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

    private static final List<Figure> FIGURES = List.of(Figure.REQUESTS, Figure.CONNECT_ERRORS);

    /** Draws each picture as PNG and as SVG. Returns Markdown that shows them; empty for a comparison without pictures. */
    String save(Path folder) throws IOException {
        StringBuilder markdown = new StringBuilder();
        for (String content : List.of("text", "servlet")) {
            List<Work> works = setup.works().stream()
                    .filter(work -> work.job() instanceof Users && work.id().startsWith(content))
                    .toList();
            for (Figure figure : works.isEmpty() ? List.<Figure>of() : FIGURES) {
                String title = figure.title() + " by number of users (" + content + ")";
                String name = "users-" + content + (figure == Figure.REQUESTS ? "-requests" : "-connect-errors");
                Chart chart = draw(title, figure, works);
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

    private Chart draw(String title, Figure figure, List<Work> works) {
        Chart chart = new Chart(title, Axis.linear("users, each with a connection"), Axis.linear(figure.title()))
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
                        results.byRound(server.id(), work, figure).values();
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

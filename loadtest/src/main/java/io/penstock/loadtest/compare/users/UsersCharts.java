package io.penstock.loadtest.compare.users;

import io.penstock.loadtest.report.Axis;
import io.penstock.loadtest.report.Chart;
import io.penstock.loadtest.report.Spread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Draws two charts with a line for each server. Figure 2 shows the requests per second for each number of users, and Figure 3 shows the
 * connect errors.
 */
final class UsersCharts {
    /** One of the two figures. */
    enum Figure {
        REQUESTS(Quantity.RATE, "requests", "Figure 2: requests per second against users", "requests per second"),
        CONNECT_ERRORS(
                Quantity.CONNECT_ERRORS,
                "connect-errors",
                "Figure 3: connect errors against users",
                "connect errors per minute");

        private final Quantity quantity;
        private final String name;
        private final String title;
        private final String ordinate;

        Figure(Quantity quantity, String name, String title, String ordinate) {
            this.quantity = quantity;
            this.name = name;
            this.title = title;
            this.ordinate = ordinate;
        }

        Quantity quantity() {
            return quantity;
        }

        String title(Asked asked) {
            return title + " (" + asked.description() + ")";
        }

        /** The name of the figure's files, without the extension. */
        String fileName(Asked asked) {
            return "users-" + asked.id() + "-" + name;
        }
    }

    private final UsersResults results;

    UsersCharts(UsersResults results) {
        this.results = results;
    }

    /** Draws each figure for each content, as PNG and as SVG. */
    void save(Path folder, List<Asked> all) throws IOException {
        Files.createDirectories(folder);
        for (Asked asked : all) {
            for (Figure figure : Figure.values()) {
                Chart chart = draw(figure, asked);
                if (!chart.isEmpty()) {
                    chart.save(folder.resolve(figure.fileName(asked) + ".png"));
                    chart.save(folder.resolve(figure.fileName(asked) + ".svg"));
                }
            }
        }
    }

    private Chart draw(Figure figure, Asked asked) {
        Chart chart = new Chart(
                figure.title(asked), Axis.linear("users, each with a connection"), Axis.linear(figure.ordinate));
        for (String server : results.servers()) {
            List<UsersResults.Row> points = new ArrayList<>();
            results.users().forEach(users -> results.row(server, users, asked).ifPresent(points::add));
            chart.line(
                    results.title(server),
                    points.stream().mapToDouble(UsersResults.Row::users).toArray(),
                    points.stream()
                            .mapToDouble(point -> point.spread(figure.quantity())
                                    .map(Spread::median)
                                    // The chart leaves out a point whose value is not a number.
                                    .orElse(Double.NaN))
                            .toArray());
        }
        return chart;
    }
}

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
 * Draws two charts with a line for each server: the requests per second for each number of users, and the connect errors.
 */
final class UsersCharts {
    /** One of the two figures. */
    enum Figure {
        REQUESTS(Quantity.RATE, "requests", "Requests per second by number of users", "requests per second"),
        CONNECT_ERRORS(
                Quantity.CONNECT_ERRORS,
                "connect-errors",
                "Connect errors per minute by number of users",
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

    private final List<String> caption;

    /** @param caption the texts below each chart: the settings of the measurement */
    UsersCharts(UsersResults results, List<String> caption) {
        this.results = results;
        this.caption = List.copyOf(caption);
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
                            .toArray(),
                    disturbed(points));
        }
        caption.forEach(chart::caption);
        return chart;
    }

    private boolean[] disturbed(List<UsersResults.Row> points) {
        boolean[] disturbed = new boolean[points.size()];
        for (int at = 0; at < disturbed.length; at++) {
            disturbed[at] = results.isDisturbed(points.get(at));
        }
        return disturbed;
    }
}

package io.penstock.experiments.transactions;

import io.penstock.loadtest.report.BarChart;
import io.penstock.loadtest.report.Chart;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/** Draws a bar chart of the transactions of each minute, with one bar for each client. */
final class MinutesChart {
    private MinutesChart() {}

    /** @throws IllegalArgumentException if the extension of the file is not {@code .png} or {@code .svg} */
    static void checkName(Path file) {
        Chart.checkName(file);
    }

    static void save(Results results, Path file) throws IOException {
        List<String> minutes = IntStream.rangeClosed(1, results.lastMinute())
                .mapToObj(Integer::toString)
                .toList();
        BarChart chart = new BarChart("Transactions per minute", "minute", "transactions per minute", minutes);
        for (Kind kind : Kind.values()) {
            chart.bars(
                    kind.label(),
                    IntStream.rangeClosed(1, results.lastMinute())
                            .mapToDouble(
                                    minute -> results.perMinute(kind, minute).orElse(Double.NaN))
                            .toArray());
        }
        chart.save(file);
    }
}

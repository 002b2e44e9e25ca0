package io.penstock.experiments.transactions;

import io.penstock.loadtest.report.BarChart;
import io.penstock.loadtest.report.Chart;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/** The transactions of each minute as bars, both clients side by side. */
final class MinutesChart {
    private MinutesChart() {}

    /** @throws IllegalArgumentException if a chart cannot be written into a file of that name */
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

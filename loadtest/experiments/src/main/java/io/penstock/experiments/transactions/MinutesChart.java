package io.penstock.experiments.transactions;

import io.penstock.loadtest.report.Chart;
import io.penstock.loadtest.report.Environment;
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

    static void save(TransactionsReport report, Environment environment, Path file) throws IOException {
        Results results = report.results();
        List<String> minutes = IntStream.rangeClosed(1, results.lastMinute())
                .mapToObj(Integer::toString)
                .toList();
        BarChart chart = new BarChart(
                "Transactions per minute of a blocking and a multiplexed client with "
                        + report.plan().multiplexed().threads() + " threads each",
                "minute",
                "transactions per minute",
                minutes);
        for (Kind kind : Kind.values()) {
            chart.bars(
                    kind.label(),
                    IntStream.rangeClosed(1, results.lastMinute())
                            .mapToDouble(
                                    minute -> results.perMinute(kind, minute).orElse(Double.NaN))
                            .toArray());
        }
        report.plan().inWords().lines().forEach(chart::caption);
        chart.caption(environment.line()).save(file);
    }
}

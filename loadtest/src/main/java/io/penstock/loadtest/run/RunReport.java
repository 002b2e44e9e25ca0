package io.penstock.loadtest.run;

import io.penstock.loadtest.client.Failure;
import io.penstock.loadtest.load.LoadResult;
import io.penstock.loadtest.load.LoadResult.GeneratorEffort;
import io.penstock.loadtest.report.Chart;
import io.penstock.loadtest.report.Chart.Axis;
import io.penstock.loadtest.report.Environment;
import io.penstock.loadtest.report.Table;
import io.penstock.loadtest.report.Table.Column;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * The result of a run in all output formats: table, JSON and chart.
 *
 * @param request the request as text, for the title of the chart
 * @param loadInWords the load as text, for the caption of the chart
 * @param load the options of the load; the keys are similar to the names of the options
 */
record RunReport(
        Environment environment, String request, String loadInWords, Map<String, Object> load, LoadResult result) {
    private static final double[] PERCENTILES = {50, 75, 90, 99, 99.9, 99.99};
    private static final int POINTS_A_DECADE = 8;

    /** A point of the latency curve. */
    record Point(double percentile, double millis) {}

    Table table() {
        Table table = new Table(Column.text("measured"), Column.number("value", 3), Column.text("unit"));
        table.add("requests per second", result.perSecond(), "1/s")
                .add("time measured", result.elapsed().toNanos() / 1e9, "s")
                .add("requests", result.requests(), "")
                .add("responses with 2xx", result.answered(), "")
                .add("other responses", result.non2xx(), "")
                .add("connect errors", result.connectErrors(), "")
                .add("socket errors", result.socketErrors(), "")
                .add("timeouts", result.timeouts(), result.timeouts() == 0 ? "" : "latency: the deadline")
                .add("bad responses", result.badResponses(), "")
                .add("unfinished at the end", result.unfinished(), "");
        Histogram latency = result.latency();
        boolean any = latency.getTotalCount() > 0;
        table.add("latency mean", any ? latency.getMean() / 1e6 : null, "ms");
        table.add("latency standard deviation", any ? latency.getStdDeviation() / 1e6 : null, "ms");
        for (double percentile : PERCENTILES) {
            table.add("latency p" + Axis.plain(percentile), result.millis(percentile), "ms");
        }
        table.add("latency max", result.millis(100), "ms");
        Histogram connect = result.connectLatency();
        table.add("total connections", connect.getTotalCount(), "");
        table.add("connect time p50", LoadResult.millis(connect, 50), "ms");
        table.add("connect time max", LoadResult.millis(connect, 100), "ms");
        return table;
    }

    /** A line about the cost of the load for the client. It shows whether the client was the bottleneck. */
    String client() {
        GeneratorEffort effort = result.effort();
        String lag = effort.lag().getTotalCount() == 0
                ? ""
                : String.format(
                        Locale.ROOT, "lag p99 %.2f ms, max %.2f ms; ", effort.lagMillis(99), effort.lagMillis(100));
        String cpu = Double.isNaN(effort.processors())
                ? "CPU unknown"
                : String.format(Locale.ROOT, "CPU %.0f %% of one processor", 100 * effort.processors());
        String hint = effort.isTheLimit()
                ? "; the load generator was the limit: reduce the load, or use several load generators"
                : "";
        return "client: " + lag + cpu + hint;
    }

    Map<String, Object> json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("environment", environment);
        json.put("request", request);
        json.put("load", load);
        json.put("table", table());
        json.put("statuses", result.statuses());
        Map<String, Long> failures = new LinkedHashMap<>();
        for (Map.Entry<Failure, Long> entry : result.failures().entrySet()) {
            failures.put(entry.getKey().label(), entry.getValue());
        }
        json.put("failures", failures);
        json.put("client", clientJson());
        json.put("firstTrouble", result.firstTrouble());
        json.put("latencyByPercentile", curve());
        return json;
    }

    private Map<String, Object> clientJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        GeneratorEffort effort = result.effort();
        if (effort.lag().getTotalCount() > 0) {
            json.put("lagP99Millis", effort.lagMillis(99));
            json.put("lagMaxMillis", effort.lagMillis(100));
        }
        if (!Double.isNaN(effort.processors())) {
            json.put("processors", effort.processors());
        }
        return json;
    }

    /**
     * The chart of the latency for each percentile. On the horizontal axis, the percentiles 90, 99, 99.9 and so on have equal distances.
     */
    Chart chart() {
        List<Point> curve = curve();
        return new Chart(
                        "Latency by percentile: " + request,
                        Axis.logarithmic("share of requests with at most this latency, in percent")
                                .withTicks(RunReport::percent),
                        Axis.logarithmic("latency (ms)"))
                .caption(String.format(
                        Locale.ROOT,
                        "Load: %s. %,d requests, %,.0f per second; %,d not answered with 2xx",
                        loadInWords,
                        result.requests(),
                        result.perSecond(),
                        result.requests() - result.answered()))
                .caption(client())
                .caption(environment.line())
                .line(
                        "latency",
                        curve.stream().mapToDouble(RunReport::oneIn).toArray(),
                        curve.stream().mapToDouble(Point::millis).toArray());
    }

    /**
     * The points of the curve, from the fastest request to the percentile that only one request exceeds. The points have equal distances on
     * the horizontal axis of the chart. For a share p of requests, the position on this axis is the logarithm of 1/(1-p).
     */
    private List<Point> curve() {
        List<Point> points = new ArrayList<>();
        long count = result.latency().getTotalCount();
        double oneIn = 1;
        while (oneIn <= count) {
            double percentile = 100 - 100 / oneIn;
            points.add(new Point(percentile, result.millis(percentile)));
            oneIn = Math.pow(10, points.size() / (double) POINTS_A_DECADE);
        }
        return points;
    }

    private static double oneIn(Point point) {
        return 100 / (100 - point.percentile());
    }

    private static String percent(double oneIn) {
        int decimals = (int) Math.max(0, Math.round(Math.log10(oneIn)) - 2);
        return String.format(Locale.ROOT, "%." + decimals + "f%%", 100 - 100 / oneIn);
    }
}

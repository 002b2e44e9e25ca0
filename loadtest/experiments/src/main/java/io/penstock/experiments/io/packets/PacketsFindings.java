package io.penstock.experiments.io.packets;

import io.penstock.experiments.io.measure.Figure;
import io.penstock.experiments.io.measure.Findings;
import io.penstock.experiments.io.measure.Numbers;
import io.penstock.experiments.io.measure.Samples;
import io.penstock.experiments.io.packets.PacketsExperiment.Latency;
import io.penstock.loadtest.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Creates the table with the results of {@link PacketsExperiment}. */
final class PacketsFindings {
    /**
     * If an exchange takes at least this time, in microseconds, it had to wait for a delayed TCP acknowledgement. Linux delays
     * acknowledgements by 40 ms, other systems by up to 200 ms.
     */
    private static final double DELAYED_MICROS = 20_000;

    private static final String NOTE =
            "All exchanges use one connection; the peer answers when it has the whole message."
                    + " With Nagle's algorithm on, the second small packet waits until the first is acknowledged. The peer's"
                    + " system delays this acknowledgement, so that it can leave together with an answer. JMH, sample time.";

    private PacketsFindings() {}

    static Findings of(int head, int body, Map<PacketsWay, Latency> measured) {
        List<List<String>> rows = new ArrayList<>();
        List<Figure> figures = new ArrayList<>();
        Latency base = measured.get(PacketsWay.GATHERED);
        measured.forEach((way, latency) -> {
            rows.add(List.of(
                    way.label(),
                    Numbers.number(latency.p50()),
                    Numbers.number(latency.p99()),
                    Numbers.number(latency.max()),
                    base == null ? Numbers.NONE : Numbers.factor(latency.p50() / base.p50()),
                    Numbers.count(latency.exchanges())));
            figures.add(new Figure(way.label(), "exchange, mean", "µs", latency.iterations()));
            figures.add(new Figure(way.label(), "exchange, p50", "µs", Samples.of(latency.p50())));
            figures.add(new Figure(way.label(), "exchange, p99", "µs", Samples.of(latency.p99())));
        });
        List<String> header = List.of("way", "median µs", "p99 µs", "max µs", "median against one write", "exchanges");
        String title = String.format(Locale.ROOT, "A head of %,d bytes and a body of %,d, then an answer", head, body);
        return new Findings("io-packets", title, Table.ofText(header, rows), figures, notes(measured), List.of());
    }

    private static List<String> notes(Map<PacketsWay, Latency> measured) {
        Latency two = measured.get(PacketsWay.TWO_WRITES);
        if (two == null) {
            return List.of(NOTE);
        }
        String seen = two.p50() >= DELAYED_MICROS
                ? "Here the delayed acknowledgement shows in most exchanges of two packets."
                : two.p99() >= DELAYED_MICROS
                        ? "Here the delayed acknowledgement shows in some exchanges of two packets."
                        : "Here no delayed acknowledgement was met.";
        return List.of(NOTE, seen);
    }
}

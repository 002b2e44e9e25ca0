package io.penstock.experiments.io.floats;

import io.penstock.experiments.io.floats.FloatsBenchmark.Direction;
import io.penstock.experiments.io.floats.FloatsExperiment.Measured;
import io.penstock.experiments.io.measure.Figure;
import io.penstock.experiments.io.measure.Findings;
import io.penstock.experiments.io.measure.Numbers;
import io.penstock.experiments.io.measure.Samples;
import io.penstock.loadtest.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Creates the table with the results of {@link FloatsExperiment}. */
final class FloatsFindings {
    private static final List<String> NOTES = List.of(
            "A call is one read or write of the file or channel; they are counted, not calculated. Each way"
                    + " stops after the last float, without another read that finds the end of the file.",
            "The factor is the time of the plain data stream divided by the time of the row. JMH, average time. The time"
                    + " includes opening and closing the file; the direct buffer of the block is allocated once.");

    private FloatsFindings() {}

    static Findings of(int count, List<Measured> measured) {
        List<List<String>> rows = new ArrayList<>();
        List<Figure> figures = new ArrayList<>();
        for (FloatsWay way : FloatsWay.values()) {
            List<String> row = new ArrayList<>(List.of(way.label()));
            for (Direction direction : Direction.values()) {
                row.addAll(cells(way, direction, measured));
            }
            rows.add(row);
        }
        for (Measured one : measured) {
            String verb = one.direction().name().toLowerCase(Locale.ROOT);
            figures.add(new Figure(one.way().label(), verb, "µs", one.micros()));
            figures.add(new Figure(one.way().label(), verb + " calls", "calls", Samples.of((double) one.calls())));
        }
        List<String> header =
                List.of("way", "write µs", "factor", "calls to write", "read µs", "factor when read", "calls to read");
        String title = String.format(Locale.ROOT, "%,d floats to a file and from it", count);
        return new Findings("io-floats", title, Table.ofText(header, rows), figures, NOTES, List.of());
    }

    private static List<String> cells(FloatsWay way, Direction direction, List<Measured> measured) {
        Optional<Measured> found = find(way, direction, measured);
        if (found.isEmpty()) {
            return List.of(Numbers.NONE, Numbers.NONE, Numbers.NONE);
        }
        Samples micros = found.get().micros();
        String factor = find(FloatsWay.ONE_BY_ONE, direction, measured)
                .map(base -> Numbers.factor(base.micros().median() / micros.median()))
                .orElse(Numbers.NONE);
        return List.of(
                Numbers.number(micros.median()),
                factor,
                Numbers.count(found.get().calls()));
    }

    private static Optional<Measured> find(FloatsWay way, Direction direction, List<Measured> measured) {
        return measured.stream()
                .filter(one -> one.way() == way && one.direction() == direction)
                .findFirst();
    }
}

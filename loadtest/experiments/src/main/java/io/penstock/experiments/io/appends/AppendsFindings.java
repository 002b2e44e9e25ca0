package io.penstock.experiments.io.appends;

import io.penstock.experiments.io.measure.Figure;
import io.penstock.experiments.io.measure.Findings;
import io.penstock.experiments.io.measure.Numbers;
import io.penstock.experiments.io.measure.Samples;
import io.penstock.loadtest.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Creates the table with the results of {@link AppendsExperiment}. */
final class AppendsFindings {
    private static final List<String> NOTES = List.of(
            "The time for *appends a second* begins when the file is opened, and ends with a close that waits"
                    + " for every accepted record and for the disk. Each round runs in a JVM of its own. As a warm-up"
                    + " the JVM first appends half as many records, which are not measured.",
            "Each record has its number. When the JVM has ended, the file is read; a record is not missing if"
                    + " it is complete and in its place. A *plain close* closes the file without waiting, and the JVM"
                    + " exits. The read also finds records that the system has taken and not yet written to its disk."
                    + " The loss by a power failure is not measured.");

    private AppendsFindings() {}

    static Findings of(
            long records, Map<AppendWay, List<AppendOutcome>> waited, Map<AppendWay, List<AppendOutcome>> plain) {
        List<List<String>> rows = new ArrayList<>();
        List<Figure> figures = new ArrayList<>();
        List<String> broken = new ArrayList<>();
        List<AppendOutcome> base = waited.getOrDefault(AppendWay.CONVENTIONAL, List.of());
        for (AppendWay way : AppendWay.values()) {
            List<AppendOutcome> speed = waited.getOrDefault(way, List.of());
            List<AppendOutcome> loss = plain.getOrDefault(way, List.of());
            List<String> row = new ArrayList<>(List.of(way.label()));
            row.addAll(speedCells(speed, base));
            row.addAll(lossCells(loss));
            rows.add(row);
            addFigures(figures, way, speed, loss);
            long missing = speed.stream().mapToLong(AppendOutcome::lost).sum();
            if (missing > 0) {
                broken.add(way.label() + ": " + Numbers.count(missing) + " records missing after a close that waits");
            }
        }
        List<String> header = List.of(
                "way",
                "appends/s",
                "min–max",
                "of conventional",
                "most threads",
                "missing after a close that waits",
                "lost by a plain close",
                "lost, min–max");
        String title = String.format(
                Locale.ROOT, "%,d appends of %d bytes, conventional and asynchronous", records, Records.LENGTH);
        return new Findings("io-appends", title, Table.ofText(header, rows), figures, NOTES, broken);
    }

    private static List<String> speedCells(List<AppendOutcome> speed, List<AppendOutcome> base) {
        if (speed.isEmpty()) {
            return List.of(Numbers.NONE, Numbers.NONE, Numbers.NONE, Numbers.NONE, Numbers.NONE);
        }
        Samples perSecond = samples(speed, AppendOutcome::perSecond);
        return List.of(
                Numbers.number(perSecond.median()),
                Numbers.range(perSecond.lowest(), perSecond.highest()),
                base.isEmpty()
                        ? Numbers.NONE
                        : Numbers.factor(perSecond.median()
                                / samples(base, AppendOutcome::perSecond).median()),
                Numbers.count(
                        speed.stream().mapToInt(AppendOutcome::threads).max().orElse(0)),
                Numbers.count(speed.stream().mapToLong(AppendOutcome::lost).sum()));
    }

    private static List<String> lossCells(List<AppendOutcome> loss) {
        if (loss.isEmpty()) {
            return List.of(Numbers.NONE, Numbers.NONE);
        }
        Samples lost = samples(loss, AppendOutcome::lost);
        return List.of(
                Numbers.count(Math.round(lost.median())),
                Numbers.count(Math.round(lost.lowest())) + "–" + Numbers.count(Math.round(lost.highest())));
    }

    private static void addFigures(
            List<Figure> figures, AppendWay way, List<AppendOutcome> speed, List<AppendOutcome> loss) {
        if (!speed.isEmpty()) {
            figures.add(new Figure(way.label(), "appends", "appends/s", samples(speed, AppendOutcome::perSecond)));
            figures.add(new Figure(way.label(), "threads", "threads", samples(speed, AppendOutcome::threads)));
            figures.add(new Figure(
                    way.label(), "missing after a close that waits", "records", samples(speed, AppendOutcome::lost)));
        }
        if (!loss.isEmpty()) {
            figures.add(
                    new Figure(way.label(), "lost by a plain close", "records", samples(loss, AppendOutcome::lost)));
        }
    }

    private static Samples samples(List<AppendOutcome> outcomes, ToDoubleFunction<AppendOutcome> quantity) {
        Samples samples = new Samples();
        outcomes.forEach(outcome -> samples.add(quantity.applyAsDouble(outcome)));
        return samples;
    }
}

package io.penstock.experiments.io.copy;

import io.penstock.experiments.io.measure.Figure;
import io.penstock.experiments.io.measure.Findings;
import io.penstock.experiments.io.measure.Numbers;
import io.penstock.experiments.io.measure.Samples;
import io.penstock.loadtest.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Creates the table with the results of {@link CopyExperiment}. For each file size, times are shown in percent of the fastest copy by
 * streams.
 */
final class CopyFindings {
    private static final String BASE =
            "100 % is the fastest measurement of the stream with the 16 KiB array at the same size; lower is faster."
                    + " Each cell has the lowest and the highest measurement, the last column those of all sizes.";
    private static final String HOW =
            "Files up to %s are measured by JMH (average time of an iteration), larger ones one"
                    + " copy at a time in alternating rounds. Source and copy are in the page cache; the copy replaces the last"
                    + " one. No way waits for the disk, but the system writes to the disk meanwhile, and this slows large"
                    + " copies.";

    private CopyFindings() {}

    static Findings of(long largestForJmh, Map<Long, Map<CopyWay, Samples>> measured) {
        List<String> header = new ArrayList<>(List.of("way"));
        measured.keySet().forEach(size -> {
            header.add(Numbers.bytes(size) + ", ms");
            header.add(Numbers.bytes(size));
        });
        header.add("all sizes");
        List<List<String>> rows = new ArrayList<>();
        List<Figure> figures = new ArrayList<>();
        for (CopyWay way : CopyWay.values()) {
            rows.add(row(way, measured));
            measured.forEach((size, ways) -> {
                Samples samples = ways.get(way);
                if (samples != null) {
                    figures.add(new Figure(way.label(), "copy " + Numbers.bytes(size), "ms", samples));
                }
            });
        }
        List<String> notes = List.of(BASE, String.format(Locale.ROOT, HOW, Numbers.bytes(largestForJmh)));
        return new Findings(
                "io-copy", "Copying a file in five ways", Table.ofText(header, rows), figures, notes, List.of());
    }

    private static List<String> row(CopyWay way, Map<Long, Map<CopyWay, Samples>> measured) {
        List<String> row = new ArrayList<>(List.of(way.label()));
        Samples relative = new Samples();
        for (Map<CopyWay, Samples> ways : measured.values()) {
            Samples samples = ways.get(way);
            @Nullable Samples stream = ways.get(CopyWay.STREAM);
            row.add(samples == null ? Numbers.NONE : Numbers.number(samples.median()));
            if (samples == null || stream == null) {
                row.add(Numbers.NONE);
            } else {
                row.add(Numbers.percents(samples.lowest(), samples.highest(), stream.lowest()));
                relative.add(samples.lowest() / stream.lowest());
                relative.add(samples.highest() / stream.lowest());
            }
        }
        row.add(relative.isEmpty() ? Numbers.NONE : Numbers.percents(relative.lowest(), relative.highest(), 1));
        return row;
    }
}

package io.penstock.experiments.io.send;

import io.penstock.experiments.io.measure.Figure;
import io.penstock.experiments.io.measure.Findings;
import io.penstock.experiments.io.measure.Numbers;
import io.penstock.experiments.io.measure.Samples;
import io.penstock.loadtest.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Creates the table with the results of {@link SendExperiment}. */
final class SendFindings {
    private static final List<String> NOTES = List.of(
            "The file is in the page cache: it has just been written, and the first round does not count.",
            "The time begins when the connection is opened, and ends when the receiver has read the last"
                    + " byte. The receiver is the same for all ways: it counts all bytes, and looks at both ends of"
                    + " each piece. Sender and receiver share the processors.",
            "One call of transferTo moves at most 2^31 - 1 bytes, so it is called until all bytes are sent."
                    + " map needs a mapping for each GiB. Before Java 22 no public method unmaps them; they stay until"
                    + " the garbage collector, which is called between the rounds, removes their buffers.");

    private SendFindings() {}

    static Findings of(long size, int rounds, Map<String, Samples> measured) {
        Samples base = measured.get(SendWay.STREAMS_SMALL.label());
        List<List<String>> rows = new ArrayList<>();
        List<Figure> figures = new ArrayList<>();
        measured.forEach((way, samples) -> {
            rows.add(List.of(
                    way,
                    Numbers.number(samples.median()),
                    Numbers.range(samples.lowest(), samples.highest()),
                    base == null ? Numbers.NONE : Numbers.factor(base.median() / samples.median()),
                    Numbers.number(size / samples.median() / 1e3)));
            figures.add(new Figure(way, "send", "ms", samples));
        });
        Table table = Table.ofText(List.of("way", "median ms", "min–max ms", "against old I/O", "MB/s"), rows);
        String title =
                String.format(Locale.ROOT, "One file of %,d bytes over loopback, %d alternating rounds", size, rounds);
        return new Findings("io-send", title, table, figures, NOTES, List.of());
    }
}

package io.penstock.experiments.io.send;

import io.penstock.experiments.io.measure.Figure;
import io.penstock.experiments.io.measure.Findings;
import io.penstock.experiments.io.measure.Samples;
import io.penstock.loadtest.report.Numbers;
import io.penstock.loadtest.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The table of sending a large file. */
final class SendFindings {
    private static final List<String> NOTES = List.of(
            "The file is in the page cache: it has just been written, and a round that is not counted goes first.",
            "The time is from opening the connection until the receiver, the same for all ways, has read the last byte,"
                    + " counted all and looked at both ends of each piece. Sender and receiver share the processors.",
            "transferTo is called again until all is sent: one call moves at most 2^31 - 1 bytes. map needs a mapping"
                    + " for each GiB; before Java 22 nothing public unmaps them, so they stay until their buffers are"
                    + " collected, which is asked for between the rounds.");

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

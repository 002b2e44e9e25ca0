package io.penstock.loadtest.io.tell;

import io.penstock.loadtest.io.measure.Experiment;
import io.penstock.loadtest.io.measure.Figure;
import io.penstock.loadtest.io.measure.Findings;
import io.penstock.loadtest.io.measure.Microbenchmark;
import io.penstock.loadtest.io.measure.Progress;
import io.penstock.loadtest.io.measure.Rows;
import io.penstock.loadtest.io.measure.Samples;
import io.penstock.loadtest.io.measure.ScratchDirectory;
import io.penstock.loadtest.report.Numbers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Tells of requests with other listeners each time. */
public final class TellExperiment implements Experiment {
    private static final long BYTES = 16 << 20;

    private static final String NOTE =
            "Nanoseconds of the thread that tells, for the five moments of one request; what the server does to"
                    + " know them, and the thread that writes the access log, are not in it (see the comparison with all of it off)."
                    + " Where nobody wants to know, nothing is made. One thread, so nobody contends. JMH, average time.";

    private final Microbenchmark.Settings jmh;
    private final Map<TellWay, Samples> measured = new LinkedHashMap<>();

    public TellExperiment(Microbenchmark.Settings jmh) {
        this.jmh = jmh;
    }

    @Override
    public long bytesNeeded() {
        return BYTES;
    }

    @Override
    public Map<String, IOException> measure(ScratchDirectory scratch, Progress progress)
            throws IOException, InterruptedException {
        for (TellWay way : TellWay.values()) {
            Samples nanos = Microbenchmark.run(TellBenchmark.class, jmh, Map.of("way", way.name()))
                    .iterations();
            measured.put(way, nanos);
            progress.line(way.label() + ": " + Numbers.number(nanos.median()) + " ns");
        }
        return Map.of();
    }

    @Override
    public Findings findings() {
        List<List<String>> rows = new ArrayList<>();
        List<Figure> figures = new ArrayList<>();
        measured.forEach((way, nanos) -> {
            rows.add(List.of(
                    way.label(), Numbers.number(nanos.median()), Numbers.range(nanos.lowest(), nanos.highest())));
            figures.add(new Figure(way.label(), "one request told", "ns", nanos));
        });
        List<String> header = List.of("who listens", "ns a request, median", "lowest–highest iteration");
        return new Findings(
                "io-tell",
                "What it costs to tell listeners of a request",
                new Rows(header, rows),
                figures,
                List.of(NOTE),
                List.of());
    }
}

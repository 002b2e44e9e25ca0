package io.penstock.experiments.io.packets;

import io.penstock.experiments.io.measure.Experiment;
import io.penstock.experiments.io.measure.Findings;
import io.penstock.experiments.io.measure.Microbenchmark;
import io.penstock.experiments.io.measure.Numbers;
import io.penstock.experiments.io.measure.Samples;
import io.penstock.experiments.io.measure.ScratchDirectory;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Sends messages that consist of a head and a body, in one packet and in two packets, and measures the time until the answer. */
final class PacketsExperiment implements Experiment {
    /**
     * The times of exchanges, in microseconds.
     *
     * @param exchanges the number of measured exchanges
     * @param iterations the mean time of each iteration
     */
    record Latency(long exchanges, double p50, double p99, double max, Samples iterations) {}

    private final int head;
    private final int body;
    private final Microbenchmark.Settings jmh;
    private final Map<PacketsWay, Latency> measured = new LinkedHashMap<>();

    PacketsExperiment(int head, int body, Microbenchmark.Settings jmh) {
        this.head = head;
        this.body = body;
        this.jmh = jmh;
    }

    @Override
    public long bytesNeeded() {
        return 0;
    }

    @Override
    public Map<String, IOException> measure(ScratchDirectory scratch, Consumer<String> progress)
            throws IOException, InterruptedException {
        for (PacketsWay way : PacketsWay.values()) {
            Map<String, String> parameters =
                    Map.of("way", way.name(), "head", Integer.toString(head), "body", Integer.toString(body));
            Microbenchmark.Outcome outcome = Microbenchmark.run(PacketsBenchmark.class, jmh, parameters);
            Latency latency = new Latency(
                    outcome.all().getN(),
                    outcome.all().getPercentile(50),
                    outcome.all().getPercentile(99),
                    outcome.all().getMax(),
                    outcome.iterations());
            measured.put(way, latency);
            progress.accept(way.label() + ": median " + Numbers.number(latency.p50()) + " µs");
        }
        return Map.of();
    }

    @Override
    public Findings findings() {
        return PacketsFindings.of(head, body, measured);
    }
}

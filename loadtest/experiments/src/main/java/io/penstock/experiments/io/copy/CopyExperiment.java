package io.penstock.experiments.io.copy;

import io.penstock.experiments.io.measure.AlternatingRounds;
import io.penstock.experiments.io.measure.AlternatingRounds.Way;
import io.penstock.experiments.io.measure.Experiment;
import io.penstock.experiments.io.measure.Findings;
import io.penstock.experiments.io.measure.Microbenchmark;
import io.penstock.experiments.io.measure.Numbers;
import io.penstock.experiments.io.measure.Pattern;
import io.penstock.experiments.io.measure.Samples;
import io.penstock.experiments.io.measure.ScratchDirectory;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Copies files of several sizes in five ways. */
final class CopyExperiment implements Experiment {
    private final List<Long> sizes;
    private final int rounds;
    private final Microbenchmark.Settings jmh;
    private final long largestForJmh;
    private final Map<Long, Map<CopyWay, Samples>> measured = new LinkedHashMap<>();

    /**
     * Creates the experiment.
     *
     * @param largestForJmh the size, in bytes, of the largest file that is measured by JMH. Larger files are copied in alternating rounds:
     *     a JMH iteration would contain only a few copies, and delayed writes to the disk after one way would slow the next way
     */
    CopyExperiment(List<Long> sizes, int rounds, Microbenchmark.Settings jmh, long largestForJmh) {
        this.sizes = List.copyOf(sizes);
        this.rounds = rounds;
        this.jmh = jmh;
        this.largestForJmh = largestForJmh;
    }

    @Override
    public long bytesNeeded() {
        return 2 * sizes.stream().mapToLong(Long::longValue).max().orElse(0);
    }

    @Override
    public Map<String, IOException> measure(ScratchDirectory scratch, Consumer<String> progress)
            throws IOException, InterruptedException {
        Map<String, IOException> failures = new LinkedHashMap<>();
        Path to = scratch.file("copy.bin");
        for (long size : sizes) {
            Path from = scratch.file("from-" + size + ".bin");
            Pattern.write(from, size);
            for (CopyWay way : CopyWay.values()) {
                requireExact(way, from, to);
            }
            if (size <= largestForJmh) {
                benchmark(size, from, to, progress);
            } else {
                failures.putAll(inRounds(size, from, to, progress));
            }
            Files.delete(from);
            Files.delete(to);
        }
        return failures;
    }

    private static void requireExact(CopyWay way, Path from, Path to) throws IOException {
        way.copy(from, to);
        long difference = Files.mismatch(from, to);
        if (difference >= 0) {
            throw new IOException(way.label() + ": the copy differs at byte " + difference);
        }
    }

    private void benchmark(long size, Path from, Path to, Consumer<String> progress)
            throws IOException, InterruptedException {
        for (CopyWay way : CopyWay.values()) {
            settle(to);
            Map<String, String> parameters = Map.of("way", way.name(), "from", from.toString(), "to", to.toString());
            Samples micros =
                    Microbenchmark.run(CopyBenchmark.class, jmh, parameters).iterations();
            Samples millis = new Samples();
            micros.values().forEach(value -> millis.add(value / 1e3));
            keep(size, way, millis);
            progress.accept(Numbers.bytes(size) + ", " + way.label() + ": " + Numbers.number(millis.median()) + " ms");
        }
    }

    private Map<String, IOException> inRounds(long size, Path from, Path to, Consumer<String> progress)
            throws InterruptedException {
        List<Way> ways = new ArrayList<>();
        for (CopyWay way : CopyWay.values()) {
            ways.add(new Way(way.label(), () -> {
                long start = System.nanoTime();
                way.copy(from, to);
                double millis = (System.nanoTime() - start) / 1e6;
                settle(to);
                return millis;
            }));
        }
        AlternatingRounds turns = new AlternatingRounds(ways, "ms, " + Numbers.bytes(size), progress);
        try {
            turns.run(1, rounds);
        } finally {
            for (CopyWay way : CopyWay.values()) {
                Samples samples = turns.measured().get(way.label());
                if (samples != null) {
                    keep(size, way, samples);
                }
            }
        }
        return turns.failures();
    }

    /**
     * Waits until all bytes of the file are written to the disk. Without this wait, later writes to the disk would disturb the next
     * measurement.
     */
    private static void settle(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    private void keep(long size, CopyWay way, Samples millis) {
        measured.computeIfAbsent(size, key -> new LinkedHashMap<>()).put(way, millis);
    }

    @Override
    public Findings findings() {
        return CopyFindings.of(largestForJmh, measured);
    }
}

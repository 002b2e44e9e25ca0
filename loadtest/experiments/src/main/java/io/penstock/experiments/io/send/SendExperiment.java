package io.penstock.experiments.io.send;

import io.penstock.experiments.io.measure.AlternatingRounds;
import io.penstock.experiments.io.measure.AlternatingRounds.Way;
import io.penstock.experiments.io.measure.Experiment;
import io.penstock.experiments.io.measure.Findings;
import io.penstock.experiments.io.measure.Pattern;
import io.penstock.experiments.io.measure.Samples;
import io.penstock.experiments.io.measure.ScratchDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Sends one large file over loopback in each {@link SendWay}, and requests the same file from a server. */
final class SendExperiment implements Experiment {
    private final long size;
    private final int rounds;
    private final FileServer server;
    private final Map<String, Samples> measured = new LinkedHashMap<>();

    /**
     * Creates the experiment.
     *
     * @param size the size of the file, in bytes
     * @param rounds the number of counted rounds; one more round before them is not counted
     */
    SendExperiment(long size, int rounds, FileServer server) {
        this.size = size;
        this.rounds = rounds;
        this.server = server;
    }

    @Override
    public long bytesNeeded() {
        return size;
    }

    @Override
    public Map<String, IOException> measure(ScratchDirectory scratch, Consumer<String> progress)
            throws IOException, InterruptedException {
        Path file = Files.createDirectory(scratch.file("files")).resolve("large.bin");
        progress.accept("writing the file");
        Pattern.write(file, size);
        Map<String, IOException> failures = new LinkedHashMap<>();
        try (server) {
            Loopback loopback = new Loopback(file, size);
            List<Way> ways = ways(loopback);
            try {
                server.start(scratch.path(), file);
                ways.add(new Way(server.label(), () -> loopback.fetch(server.url())));
            } catch (IOException e) {
                failures.put(server.label(), e);
            }
            AlternatingRounds turns = new AlternatingRounds(ways, "ms", progress);
            try {
                turns.run(1, rounds);
            } finally {
                measured.putAll(turns.measured());
                failures.putAll(turns.failures());
            }
        }
        return failures;
    }

    private static List<Way> ways(Loopback loopback) {
        List<Way> ways = new ArrayList<>();
        for (SendWay way : SendWay.values()) {
            ways.add(new Way(way.label(), () -> {
                // Mappings of earlier rounds exist until the garbage collector has collected their buffers. So a
                // garbage collection is requested.
                System.gc();
                return loopback.send(way);
            }));
        }
        return ways;
    }

    @Override
    public Findings findings() {
        return SendFindings.of(size, rounds, measured);
    }
}

package io.penstock.experiments.io.floats;

import io.penstock.experiments.io.floats.FloatsBenchmark.Direction;
import io.penstock.experiments.io.measure.Experiment;
import io.penstock.experiments.io.measure.Findings;
import io.penstock.experiments.io.measure.Microbenchmark;
import io.penstock.experiments.io.measure.Numbers;
import io.penstock.experiments.io.measure.Samples;
import io.penstock.experiments.io.measure.ScratchDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Writes and reads an array of floats in each {@link FloatsWay}. Measures the time, and counts the system calls. */
final class FloatsExperiment implements Experiment {
    /**
     * The results of one way in one direction.
     *
     * @param calls the number of system calls, counted in a separate run
     */
    record Measured(FloatsWay way, Direction direction, long calls, Samples micros) {}

    private final int count;
    private final Microbenchmark.Settings jmh;
    private final List<Measured> measured = new ArrayList<>();

    FloatsExperiment(int count, Microbenchmark.Settings jmh) {
        this.count = count;
        this.jmh = jmh;
    }

    @Override
    public long bytesNeeded() {
        return (long) count * Float.BYTES;
    }

    @Override
    public Map<String, IOException> measure(ScratchDirectory scratch, Consumer<String> progress)
            throws IOException, InterruptedException {
        Path file = scratch.file("floats.bin");
        for (Direction direction : Direction.values()) {
            for (FloatsWay way : FloatsWay.values()) {
                long calls = countCalls(way, direction, Disk.file(file));
                Map<String, String> parameters = Map.of(
                        "way", way.name(),
                        "direction", direction.name(),
                        "count", Integer.toString(count),
                        "file", file.toString());
                Samples micros = Microbenchmark.run(FloatsBenchmark.class, jmh, parameters)
                        .iterations();
                measured.add(new Measured(way, direction, calls, micros));
                progress.accept(direction + ", " + way.label() + ": " + Numbers.number(micros.median()) + " µs");
            }
        }
        return Map.of();
    }

    private long countCalls(FloatsWay way, Direction direction, Disk disk) throws IOException {
        float[] floats = FloatsBenchmark.numbers(count);
        ByteBuffer room = ByteBuffer.allocateDirect(count * Float.BYTES);
        CountingDisk counting = new CountingDisk(disk);
        if (direction == Direction.WRITE) {
            way.write(floats, room, counting);
            return counting.calls();
        }
        float[] read = new float[count];
        way.read(read, room, counting);
        if (!Arrays.equals(read, floats)) {
            throw new IOException(way.label() + ": the floats that were read differ from those that were written");
        }
        return counting.calls();
    }

    @Override
    public Findings findings() {
        return FloatsFindings.of(count, measured);
    }
}

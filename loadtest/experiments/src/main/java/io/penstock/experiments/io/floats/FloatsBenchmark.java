package io.penstock.experiments.io.floats;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The JMH benchmark that writes or reads the whole array once. The measured time includes opening and closing the file. The buffer for a
 * block is allocated once and reused.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class FloatsBenchmark {
    /** Whether floats are written or read. */
    public enum Direction {
        WRITE,
        READ
    }

    @Param("BLOCK")
    FloatsWay way = FloatsWay.BLOCK;

    @Param("WRITE")
    Direction direction = Direction.WRITE;

    @Param("1000")
    int count;

    @Param("")
    String file = "";

    private float[] floats = {};
    private ByteBuffer room = ByteBuffer.allocate(0);
    private Disk disk = Disk.file(Path.of(""));

    @Setup
    public void prepare() throws IOException {
        floats = numbers(count);
        room = ByteBuffer.allocateDirect(count * Float.BYTES);
        disk = Disk.file(Path.of(file));
        FloatsWay.BLOCK.write(floats, room, disk);
    }

    @Benchmark
    public float[] run() throws IOException {
        if (direction == Direction.WRITE) {
            way.write(floats, room, disk);
        } else {
            way.read(floats, room, disk);
        }
        return floats;
    }

    static float[] numbers(int count) {
        float[] floats = new float[count];
        for (int i = 0; i < count; i++) {
            floats[i] = i * 0.5f;
        }
        return floats;
    }
}

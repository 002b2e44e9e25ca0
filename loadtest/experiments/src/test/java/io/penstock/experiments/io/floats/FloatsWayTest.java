package io.penstock.experiments.io.floats;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.experiments.io.floats.FloatsBenchmark.Direction;
import io.penstock.experiments.io.floats.FloatsExperiment.Measured;
import io.penstock.experiments.io.measure.Samples;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FloatsWayTest {
    private static final int COUNT = 10_000;

    @TempDir
    private Path directory;

    private final float[] floats = FloatsBenchmark.numbers(COUNT);
    private final ByteBuffer room = ByteBuffer.allocateDirect(COUNT * Float.BYTES);

    @Test
    void theSameBytesAreWrittenAndTheSameFloatsAreReadInEveryWay() throws IOException {
        byte[] expected = write(FloatsWay.BLOCK);
        for (FloatsWay way : FloatsWay.values()) {
            assertArrayEquals(expected, write(way));
            float[] read = new float[COUNT];
            way.read(read, room, disk());
            assertArrayEquals(floats, read);
        }
    }

    @Test
    void aBlockIsWrittenWithFewerCallsThanSingleFloats() throws IOException {
        assertTrue(calls(FloatsWay.ONE_BY_ONE) >= COUNT);
        // A buffer of 8 KiB has room for 2048 floats, so 10,000 floats need five writes.
        assertEquals(5, calls(FloatsWay.ONE_BY_ONE_BUFFERED));
        assertEquals(1, calls(FloatsWay.BLOCK));
    }

    @Test
    void aFileThatIsTooShortCausesAnException() throws IOException {
        Files.write(directory.resolve("floats"), new byte[100]);
        assertThrows(EOFException.class, () -> FloatsWay.BLOCK.read(floats, room, disk()));
    }

    @Test
    void speedFactorsAreRelativeToTheDataStreamThatWritesSingleFloats() {
        List<Measured> measured = List.of(
                new Measured(FloatsWay.ONE_BY_ONE, Direction.WRITE, 400_000, Samples.of(50_000)),
                new Measured(FloatsWay.BLOCK, Direction.WRITE, 1, Samples.of(400, 500, 700)));
        var rows = FloatsFindings.of(100_000, measured).table().rows();
        assertEquals(List.of("one by one, data stream", "50,000", "1.00×", "400,000", "-", "-", "-"), rows.get(0));
        assertEquals(List.of("one block, FloatBuffer view", "500", "100×", "1", "-", "-", "-"), rows.get(2));
    }

    private byte[] write(FloatsWay way) throws IOException {
        way.write(floats, room, disk());
        return Files.readAllBytes(directory.resolve("floats"));
    }

    private long calls(FloatsWay way) throws IOException {
        CountingDisk counting = new CountingDisk(disk());
        way.write(floats, room, counting);
        return counting.calls();
    }

    private Disk disk() {
        return Disk.file(directory.resolve("floats"));
    }
}

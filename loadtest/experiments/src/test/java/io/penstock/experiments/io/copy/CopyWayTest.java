package io.penstock.experiments.io.copy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.experiments.io.measure.Pattern;
import io.penstock.experiments.io.measure.Samples;
import io.penstock.loadtest.report.Table.Column;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CopyWayTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource(CopyWay.class)
    void eachCopyWayReplacesAnExistingFileWithAnExactCopy(CopyWay way) throws IOException {
        Path to = directory.resolve("to");
        Files.write(to, new byte[200_000]);
        for (int size : new int[] {100_003, 16 << 10, 1, 0}) {
            Path from = directory.resolve("from" + size);
            Pattern.write(from, size);
            way.copy(from, to);
            assertArrayEquals(Files.readAllBytes(from), Files.readAllBytes(to));
        }
    }

    @Test
    void percentagesAreRelativeToTheFastestStreamCopyOfTheSameSize() {
        Map<Long, Map<CopyWay, Samples>> measured = new LinkedHashMap<>();
        measured.put(1L << 20, Map.of(CopyWay.STREAM, Samples.of(2, 2.9), CopyWay.TRANSFER_TO, Samples.of(1, 4.76)));
        measured.put(16L << 20, Map.of(CopyWay.STREAM, Samples.of(10), CopyWay.HEAP_BUFFER, Samples.of(45.4)));
        var table = CopyFindings.of(64 << 20, measured).table();
        assertEquals(
                List.of("way", "1 MB, ms", "1 MB", "16 MB, ms", "16 MB", "all sizes"),
                table.columns().stream().map(Column::name).toList());
        assertEquals(
                List.of("stream, 16 KiB array", "2.45", "100–145 %", "10.0", "100–100 %", "100–145 %"),
                table.rows().get(0));
        assertEquals(
                List.of("heap buffer, 16 KiB", "-", "-", "45.4", "454–454 %", "454–454 %"),
                table.rows().get(1));
        assertEquals(
                List.of("transferTo", "2.88", "50–238 %", "-", "-", "50–238 %"),
                table.rows().get(4));
    }
}

package io.penstock.loadtest.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeFileTest {

    @TempDir
    Path folder;

    @Test
    void aFileIsReplacedAndNoOtherFileRemains() throws Exception {
        Path file = Files.writeString(folder.resolve("result.csv"), "old");
        WholeFile.write(file, "new");
        assertEquals("new", Files.readString(file));
        WholeFile.write(file, out -> out.write("newer".getBytes(StandardCharsets.UTF_8)));
        assertEquals("newer", Files.readString(file));
        try (var files = Files.list(folder)) {
            assertEquals(1, files.count());
        }
    }

    @Test
    void aFailedWriteKeepsTheOldFile() throws Exception {
        Path file = Files.writeString(folder.resolve("picture.svg"), "old");
        assertThrows(
                IOException.class,
                () -> WholeFile.write(file, out -> {
                    out.write(new byte[100_000]);
                    throw new IOException("stopped");
                }));
        assertEquals("old", Files.readString(file));
    }

    @Test
    void aSymbolicLinkIsKeptAndItsTargetIsWritten() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "old");
        Path link = Files.createSymbolicLink(folder.resolve("link"), file);
        WholeFile.write(link, "new");
        assertTrue(Files.isSymbolicLink(link));
        assertEquals("new", Files.readString(file));
    }
}

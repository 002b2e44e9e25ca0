package io.penstock.request;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.http.ParsedBytes;
import io.penstock.http.Violation;
import io.penstock.limits.Key;
import io.penstock.memory.ByteAccount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests how the parts of a multipart form are stored. The content of a part is in memory or in a file. The size of the file is added to the
 * used disk space.
 */
final class StoredContentTest {
    private static final byte[] BYTES = new byte[100];

    @TempDir
    Path folder;

    private final ByteAccount disk = new ByteAccount(150);
    private final ByteAccount memory = new ByteAccount(1 << 20);

    private StoredContent content(int threshold) {
        return new StoredContent(folder, threshold, disk, new ParsedBytes(memory));
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    @Test
    void contentInMemoryUsesNoDiskSpace() throws Exception {
        StoredContent content = content(100);
        content.append(BYTES, 0, 100);
        content.end();
        assertEquals(0, disk.used());
        assertEquals(List.of(), files());
        assertArrayEquals(BYTES, content.open().readAllBytes());
    }

    @Test
    void theDiskSpaceOfAFileIsReleasedWhenTheContentIsDiscarded() throws Exception {
        StoredContent content = content(60);
        content.append(BYTES, 0, 50);
        content.append(BYTES, 50, 50);
        content.end();
        assertEquals(100, disk.used());
        assertEquals(1, files().size());
        content.discard();
        content.discard();
        assertEquals(0, disk.used());
        assertEquals(List.of(), files());
    }

    @Test
    void contentBeyondTheDiskLimitIsRejectedAndDeleted() throws Exception {
        StoredContent content = content(0);
        content.append(BYTES, 0, 100);
        Violation refusal = assertThrows(Violation.class, () -> content.append(BYTES, 0, 51));
        assertEquals(Key.SPOOL_LIMIT, refusal.limit());
        assertEquals(503, refusal.status());
        content.discard();
        assertEquals(0, disk.used());
        assertEquals(List.of(), files());
    }

    @Test
    void theDiskSpaceOfAFileIsReleasedWhenTheApplicationMovesTheFile() throws Exception {
        StoredContent content = content(0);
        content.append(BYTES, 0, 100);
        content.end();
        Path kept = folder.resolve("kept");
        content.writeTo(kept);
        assertEquals(0, disk.used());
        content.discard();
        assertEquals(List.of(kept), files());
        assertArrayEquals(BYTES, Files.readAllBytes(kept));
    }
}

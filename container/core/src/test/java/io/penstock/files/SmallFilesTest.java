package io.penstock.files;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.context.Resource;
import io.penstock.context.Resources;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the cache of the contents of small files. */
class SmallFilesTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final Instant LONG_AGO = NOW.minusSeconds(60);

    @TempDir
    Path folder;

    private final AtomicInteger cleared = new AtomicInteger();
    private final SmallFiles files = new SmallFiles(10, cleared::incrementAndGet);

    private Resource file(String name, String content, Instant modified) throws Exception {
        Path file = Files.writeString(folder.resolve(name), content);
        Files.setLastModifiedTime(file, FileTime.from(modified));
        return new Resource("/" + name, file, Resource.Kind.FILE, content.length(), modified);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void aCachedFileIsNotReadAgain() throws Exception {
        Resource file = file("a", "one", LONG_AGO);
        byte[] first = files.read(file, NOW);
        Files.delete(file.file());
        assertSame(first, files.read(file, NOW));
        assertArrayEquals(bytes("one"), first);
    }

    @Test
    void aFileIsReadAgainIfItsModificationTimeOrSizeHasChanged() throws Exception {
        files.read(file("a", "one", LONG_AGO), NOW);
        assertArrayEquals(bytes("two"), files.read(file("a", "two", LONG_AGO.plusSeconds(1)), NOW));
        assertArrayEquals(bytes("three"), files.read(file("a", "three", LONG_AGO.plusSeconds(1)), NOW));
        assertEquals(1, files.size());
    }

    @Test
    void aRecentlyChangedFileIsNotCached() throws Exception {
        Resource fresh = file("a", "one", NOW.minusMillis(100));
        assertNotSame(files.read(fresh, NOW), files.read(fresh, NOW));
        assertEquals(0, files.size());
    }

    @Test
    void theCacheIsClearedIfTheNextFileDoesNotFit() throws Exception {
        Resource first = file("a", "12345", LONG_AGO);
        files.read(first, NOW);
        files.read(file("b", "67890", LONG_AGO), NOW);
        assertEquals(2, files.size());
        assertEquals(10, files.kept());
        assertEquals(0, cleared.get());
        Resource third = file("c", "x", LONG_AGO);
        files.read(third, NOW);
        assertEquals(0, files.size());
        assertEquals(0, files.kept());
        assertEquals(1, cleared.get());
        assertArrayEquals(bytes("12345"), files.read(first, NOW));
        assertEquals(1, files.size());
    }

    @Test
    void anUpdatedFileReplacesItsCachedVersion() throws Exception {
        for (int i = 0; i < 10; i++) {
            files.read(file("a", "12345678", LONG_AGO.plusSeconds(i)), NOW);
        }
        assertEquals(1, files.size());
    }

    @Test
    void theFilesOfAnApplicationThatEndsAreDropped() throws Exception {
        Path ended = Files.createDirectory(folder.resolve("ended"));
        files.read(file("ended/a", "12345", LONG_AGO), NOW);
        Resource other = file("b", "678", LONG_AGO);
        byte[] kept = files.read(other, NOW);
        try (Resources application = Resources.of(ended)) {
            files.forget(application);
        }
        assertEquals(1, files.size());
        assertEquals(3, files.kept());
        assertSame(kept, files.read(other, NOW));
    }

    @Test
    void noFileIsCachedIfTheLimitIsZero() throws Exception {
        SmallFiles none = new SmallFiles(0);
        Resource file = file("a", "one", LONG_AGO);
        assertArrayEquals(bytes("one"), none.read(file, NOW));
        assertEquals(0, none.size());
    }

    @Test
    void aFileThatHasBecomeShorterBeforeTheReadCountsAsReplaced() throws Exception {
        Resource file = file("a", "one", LONG_AGO);
        Files.writeString(file.file(), "1");
        assertThrows(FileContent.Replaced.class, () -> files.read(file, NOW));
    }
}

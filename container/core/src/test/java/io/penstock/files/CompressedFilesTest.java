package io.penstock.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.penstock.context.Resource;
import io.penstock.context.Resources;
import io.penstock.http.ContentCoding;
import io.penstock.time.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the search for compressed siblings. A sibling is a compressed copy next to a file, such as app.js.gz next to app.js. */
class CompressedFilesTest {
    private static final Instant MODIFIED = Instant.parse("1994-11-06T08:49:37Z");

    @TempDir
    Path folder;

    private final ManualClock clock = new ManualClock();
    private Resources resources;
    private CompressedFiles siblings;

    @BeforeEach
    void open() throws IOException {
        write("app.js", MODIFIED);
        resources = Resources.of(folder.toRealPath());
        siblings = new CompressedFiles(resources, clock);
    }

    private void write(String name, Instant modified) throws IOException {
        Path file = Files.writeString(folder.resolve(name), name);
        Files.setLastModifiedTime(file, FileTime.from(modified));
    }

    private Resource app() {
        return resources.find("/app.js");
    }

    @Test
    void compressedFilesAreListedInTheOrderThatTheServerPrefers() throws IOException {
        write("app.js.gz", MODIFIED);
        write("app.js.zst", MODIFIED);
        write("app.js.br", MODIFIED);
        assertEquals(List.of(ContentCoding.BROTLI, ContentCoding.ZSTANDARD, ContentCoding.GZIP), siblings.of(app()));
        assertEquals(
                "/app.js.zst", siblings.find(app(), ContentCoding.ZSTANDARD).path());
    }

    @Test
    void theListOfSiblingsIsCachedForOneSecond() throws IOException {
        assertEquals(List.of(), siblings.of(app()));
        write("app.js.gz", MODIFIED);
        clock.pass(Duration.ofMillis(999));
        assertEquals(List.of(), siblings.of(app()));
        clock.pass(Duration.ofMillis(1));
        assertEquals(List.of(ContentCoding.GZIP), siblings.of(app()));
        Files.delete(folder.resolve("app.js.gz"));
        assertNull(siblings.find(app(), ContentCoding.GZIP));
        clock.pass(Duration.ofSeconds(1));
        assertEquals(List.of(), siblings.of(app()));
    }

    @Test
    void aSiblingIsNotUsedIfItIsOlderThanTheFile() throws IOException {
        write("app.js.gz", MODIFIED.minusSeconds(1));
        assertNull(siblings.find(app(), ContentCoding.GZIP));
        assertEquals(List.of(ContentCoding.GZIP), siblings.of(app()), "the outdated sibling must stay in the list");
        write("app.js.gz", MODIFIED);
        assertNotNull(siblings.find(app(), ContentCoding.GZIP));
    }

    @Test
    void aFolderWithTheNameOfASiblingIsIgnored() throws IOException {
        Files.createDirectory(folder.resolve("app.js.br"));
        assertEquals(List.of(), siblings.of(app()));
    }
}

package io.penstock.develop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.develop.SourceChanges.ScanResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests in which cases changed files are a new version of the application. This class simulates the clocks. */
class SourceChangesTest {
    private static final Instant WRITTEN = Instant.parse("2026-11-26T12:00:00.123456Z");

    @TempDir
    Path folder;

    private Path classes;
    private long nanos;
    private Instant wallClock = WRITTEN.plusSeconds(60);
    private SourceChanges changes;

    @BeforeEach
    void firstVersion() throws IOException {
        classes = Files.createDirectories(folder.resolve("web/WEB-INF/classes"));
        write("a/First.class", "first");
        write("a/Second.class", "second");
        changes = new SourceChanges(
                new SourceTree(List.of(folder.resolve("web")), List.of(), Map.of(), JavaSources.NONE),
                () -> nanos,
                new ContentHashes(() -> wallClock));
        changes.made(changes.now());
        assertInstanceOf(ScanResult.Unchanged.class, changes.scan());
    }

    private void write(String name, String content) throws IOException {
        write(name, content, WRITTEN);
    }

    private void write(String name, String content, Instant changed) throws IOException {
        Path file = classes.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
        Files.setLastModifiedTime(file, FileTime.from(changed));
    }

    private ScanResult scanAfter(Duration time) {
        nanos += time.toNanos();
        return changes.scan();
    }

    private ScanResult assertFilesStillChange() {
        return assertInstanceOf(ScanResult.Restless.class, changes.scan());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ".web.xml.swp",
                ".web.xml.swx",
                "4913",
                "web.xml~",
                ".#web.xml",
                "#web.xml#",
                "web.xml___jb_tmp___",
                "web.xml___jb_old___",
                ".goutputstream-0ANVZ2",
                ".web.xml.kate-swp",
                ".DS_Store",
                ".nfs0000000001"
            })
    void temporaryFilesOfEditorsAreIgnored(String name) throws IOException {
        write("a/" + name, "of an editor");
        write("../" + name, "of an editor");
        assertInstanceOf(ScanResult.Unchanged.class, changes.scan());
    }

    @ParameterizedTest
    @ValueSource(strings = {"swp", "a.swp", "49130", "~a", "#a", "jb_tmp", ".hidden", "DS_Store"})
    void aNewFileWithANameSimilarToATemporaryFileIsAChange(String name) throws IOException {
        write("a/" + name, "of the application");
        assertFilesStillChange();
    }

    @Test
    void changedFilesBecomeANewVersionAfterAPeriodWithoutChanges() throws IOException {
        write("a/First.class", "other", WRITTEN.plusSeconds(1));
        assertFilesStillChange();
        assertInstanceOf(ScanResult.Restless.class, scanAfter(SourceChanges.REST.minusMillis(1)));
        write("a/Third.class", "third");
        assertInstanceOf(
                ScanResult.Restless.class,
                scanAfter(Duration.ofMillis(1)),
                "the change of Third.class must restart the period without changes");
        assertInstanceOf(ScanResult.Restless.class, scanAfter(SourceChanges.REST.minusMillis(1)));
        ScanResult.Changed changed = assertInstanceOf(ScanResult.Changed.class, scanAfter(Duration.ofMillis(1)));
        assertEquals(
                Set.of(
                        "WEB-INF/classes/a/First.class",
                        "WEB-INF/classes/a/Second.class",
                        "WEB-INF/classes/a/Third.class"),
                changed.files().hashes().keySet());
        assertEquals(
                "WEB-INF/classes/a/First.class, WEB-INF/classes/a/Third.class", changes.differenceTo(changed.files()));
        changes.made(changed.files());
        assertInstanceOf(ScanResult.Unchanged.class, changes.scan());
    }

    @Test
    void aFileWithTheSameContentAndANewModificationTimeIsNotANewVersion() throws IOException {
        write("a/First.class", "first", WRITTEN.plusSeconds(1));
        assertFilesStillChange();
        assertInstanceOf(ScanResult.Unchanged.class, scanAfter(SourceChanges.REST));
        assertInstanceOf(ScanResult.Unchanged.class, changes.scan());
    }

    @Test
    void newContentWithTheSameModificationTimeAndSizeIsANewVersion() throws IOException {
        wallClock = WRITTEN.plusSeconds(5).plusMillis(10);
        write("a/First.class", "other", WRITTEN.plusSeconds(5));
        assertFilesStillChange();
        ScanResult.Changed changed = assertInstanceOf(ScanResult.Changed.class, scanAfter(SourceChanges.REST));
        changes.made(changed.files());
        // Both writes have the same modification time. This can happen if the file system stores rounded times.
        write("a/First.class", "again", WRITTEN.plusSeconds(5));
        assertInstanceOf(ScanResult.Changed.class, scanAfter(SourceChanges.REST));
    }

    @Test
    void theDeletionOfAClassFileIsNotANewVersionIfTheFileIsSoonRestored() throws IOException {
        Files.delete(classes.resolve("a/Second.class"));
        assertFilesStillChange();
        assertInstanceOf(ScanResult.Restless.class, scanAfter(SourceChanges.REST_AFTER_REMOVAL.minusMillis(1)));
        write("a/Second.class", "second", WRITTEN.plusSeconds(1));
        assertFilesStillChange();
        assertInstanceOf(
                ScanResult.Unchanged.class, scanAfter(SourceChanges.REST), "the restored file has the same content");
        Files.delete(classes.resolve("a/Second.class"));
        assertFilesStillChange();
        assertInstanceOf(ScanResult.Changed.class, scanAfter(SourceChanges.REST_AFTER_REMOVAL));
    }

    @Test
    void theDeletionOfAllClassFilesIsNotANewVersion() throws IOException {
        Files.delete(classes.resolve("a/First.class"));
        Files.delete(classes.resolve("a/Second.class"));
        assertFilesStillChange();
        assertInstanceOf(ScanResult.Restless.class, scanAfter(SourceChanges.REST.minusMillis(1)));
        assertInstanceOf(ScanResult.ClassesGone.class, scanAfter(Duration.ofMillis(1)));
        assertInstanceOf(ScanResult.ClassesGone.class, scanAfter(Duration.ofHours(1)));
        write("a/First.class", "newer", WRITTEN.plusSeconds(1));
        write("a/Second.class", "second", WRITTEN.plusSeconds(1));
        assertFilesStillChange();
        assertInstanceOf(ScanResult.Changed.class, scanAfter(SourceChanges.REST));
    }

    @Test
    void changesOfJspPagesAndTagFilesAndStaticFilesAreNotANewVersion() throws IOException {
        Path web = folder.resolve("web");
        Files.writeString(web.resolve("index.html"), "a page");
        Files.writeString(web.resolve("index.jsp"), "a page");
        Files.createDirectory(web.resolve("WEB-INF/tags"));
        Files.writeString(web.resolve("WEB-INF/tags/cell.tag"), "a tag");
        Files.writeString(web.resolve("WEB-INF/view.jspx"), "a page");
        assertInstanceOf(ScanResult.Unchanged.class, changes.scan());
        Files.writeString(web.resolve("WEB-INF/web.xml"), "<web-app/>");
        assertFilesStillChange();
    }

    @Test
    void theFileInTheFirstFolderIsUsedIfSeveralFoldersContainTheSamePath() throws IOException {
        Path source = Files.createDirectories(folder.resolve("resources"));
        Path compiled = Files.createDirectories(folder.resolve("compiled"));
        Path orders = Files.createDirectories(folder.resolve("orders/com"));
        Files.writeString(source.resolve("messages.txt"), "source");
        Files.writeString(compiled.resolve("messages.txt"), "copied");
        Files.writeString(compiled.resolve("other.txt"), "copied");
        Files.writeString(orders.resolve("Order.class"), "order");
        SourceTree tree = new SourceTree(
                List.of(folder.resolve("web")),
                List.of(source, compiled, folder.resolve("missing")),
                Map.of("orders.jar", folder.resolve("orders"), "missing.jar", folder.resolve("missing.jar")),
                JavaSources.NONE);
        Map<String, FileState> found = WatchedFiles.of(tree);
        assertEquals(
                source.resolve("messages.txt"),
                found.get("WEB-INF/classes/messages.txt").file());
        assertTrue(found.containsKey("WEB-INF/classes/other.txt"));
        assertTrue(found.containsKey("WEB-INF/lib/orders.jar!/com/Order.class"));
        assertEquals(5, found.size(), found.toString());
    }
}

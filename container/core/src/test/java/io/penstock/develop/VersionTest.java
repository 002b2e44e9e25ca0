package io.penstock.develop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.time.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests a version, which is a copy of the files of an application. The copy must be complete, and must not change later. */
class VersionTest {
    @TempDir
    Path folder;

    private Path web;
    private Path orders;
    private Path copies;
    private SourceChanges changes;

    @BeforeEach
    void createSourceFiles() throws IOException {
        web = Files.createDirectories(folder.resolve("web"));
        orders = Files.createDirectories(folder.resolve("orders/META-INF/resources"))
                .getParent()
                .getParent();
        copies = Files.createDirectory(folder.resolve("copies"));
        Files.createDirectories(web.resolve("WEB-INF/classes/a"));
        Files.writeString(web.resolve("WEB-INF/classes/a/First.class"), "first");
        Files.writeString(web.resolve("WEB-INF/web.xml"), "<web-app/>");
        Files.writeString(orders.resolve("Order.class"), "order");
        Files.writeString(orders.resolve("META-INF/resources/order.html"), "a page");
        changes = new SourceChanges(
                new SourceTree(List.of(web), List.of(), Map.of("orders.jar", orders), JavaSources.NONE),
                Clock.SYSTEM,
                new ContentHashes(InstantSource.system()));
    }

    private static Object inode(Version version, String place) throws IOException {
        return Files.getAttribute(version.path().resolve(place), "fileKey");
    }

    @Test
    void theClassFolderOfALibraryIsPackedIntoAJar() throws IOException {
        try (Version version = Version.of(changes.now(), copies, null);
                JarFile jar = new JarFile(
                        version.path().resolve("WEB-INF/lib/orders.jar").toFile())) {
            assertEquals(
                    List.of("META-INF/resources/order.html", "Order.class"),
                    jar.stream().map(entry -> entry.getName()).toList());
            assertEquals("first", Files.readString(version.path().resolve("WEB-INF/classes/a/First.class")));
        }
    }

    @Test
    void aVersionDoesNotChangeWhenItsSourcesChange() throws IOException {
        try (Version former = Version.of(changes.now(), copies, null)) {
            Files.writeString(web.resolve("WEB-INF/classes/a/First.class"), "other");
            Files.writeString(orders.resolve("Order.class"), "later");
            try (Version next = Version.of(changes.now(), copies, former)) {
                assertEquals("first", Files.readString(former.path().resolve("WEB-INF/classes/a/First.class")));
                assertEquals("other", Files.readString(next.path().resolve("WEB-INF/classes/a/First.class")));
                assertEquals(
                        inode(former, "WEB-INF/web.xml"),
                        inode(next, "WEB-INF/web.xml"),
                        "the two versions must share the unchanged web.xml");
                assertNotEquals(inode(former, "WEB-INF/lib/orders.jar"), inode(next, "WEB-INF/lib/orders.jar"));
            }
            assertEquals("<web-app/>", Files.readString(former.path().resolve("WEB-INF/web.xml")));
        }
        assertEquals(List.of(), Files.list(copies).toList());
    }

    @Test
    void twoVersionsShareAnUnchangedLibrary() throws IOException {
        try (Version former = Version.of(changes.now(), copies, null);
                Version next = Version.of(changes.now(), copies, former)) {
            assertEquals(inode(former, "WEB-INF/lib/orders.jar"), inode(next, "WEB-INF/lib/orders.jar"));
        }
    }

    @Test
    void noCopiedFilesRemainIfTheCopyFailsBecauseOfADeletedFile() throws IOException {
        SourceChanges.Files files = changes.now();
        assertTrue(changes.areStill(files));
        Files.delete(web.resolve("WEB-INF/web.xml"));
        assertThrows(NoSuchFileException.class, () -> Version.of(files, copies, null));
        assertEquals(List.of(), Files.list(copies).toList());
        assertFalse(changes.areStill(files));
    }
}

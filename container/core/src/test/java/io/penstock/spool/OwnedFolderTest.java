package io.penstock.spool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the temporary folder of a server. The parent folder can also contain folders of other running servers and of crashed servers. */
final class OwnedFolderTest {

    @TempDir
    Path parent;

    private List<Path> inParent() throws IOException {
        try (Stream<Path> files = Files.list(parent)) {
            return files.toList();
        }
    }

    @Test
    void aFolderIsPrivateAndItsDeletionDoesNotFollowLinks(@TempDir Path outside) throws Exception {
        Files.writeString(outside.resolve("kept"), "kept");
        OwnedFolder folder = OwnedFolder.create(parent, "test");
        if (parent.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.path())));
            Files.createSymbolicLink(folder.path().resolve("link"), outside);
        }
        Files.createDirectories(folder.path().resolve("a/b"));
        Files.writeString(folder.path().resolve("a/b/c"), "c");
        folder.close();
        assertEquals(List.of(), inParent());
        assertTrue(Files.exists(outside.resolve("kept")));
        folder.close();
    }

    @Test
    void theNextServerRemovesTheFolderOfACrashedServer() throws Exception {
        anotherProcess(End.CRASH);
        assertEquals(2, inParent().size(), "the number of entries in the parent folder (a folder and its lock)");
        OwnedFolder.create(parent, "other").close();
        assertEquals(List.of(), inParent());
    }

    @Test
    void anotherProcessDoesNotDeleteTheFoldersOfRunningServers() throws Exception {
        OwnedFolder first = OwnedFolder.create(parent, "test");
        OwnedFolder second = OwnedFolder.create(parent, "test");
        anotherProcess(End.ORDERLY);
        assertTrue(Files.isDirectory(first.path()), "the folder of a running server was deleted");
        assertTrue(Files.isDirectory(second.path()));
        second.close();
        anotherProcess(End.ORDERLY);
        assertTrue(Files.isDirectory(first.path()));
        first.close();
        assertEquals(List.of(), inParent());
    }

    @Test
    void serversInOneProcessCanCreateTheirFoldersConcurrently() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Callable<OwnedFolder>> starts = new ArrayList<>();
            for (int i = 0; i < 64; i++) {
                starts.add(() -> OwnedFolder.create(parent, "test"));
            }
            List<OwnedFolder> made = new ArrayList<>();
            for (Future<OwnedFolder> start : threads.invokeAll(starts)) {
                made.add(start.get());
            }
            for (OwnedFolder folder : made) {
                assertTrue(Files.isDirectory(folder.path()));
                folder.close();
            }
        } finally {
            threads.shutdownNow();
        }
        assertEquals(List.of(), inParent());
    }

    @Test
    void aSymbolicLinkWithTheNameOfAStaleFolderIsNotFollowed(@TempDir Path elsewhere) throws IOException {
        Path precious = Files.write(elsewhere.resolve("precious"), new byte[1]);
        Files.write(parent.resolve("penstock-spool-0.lock"), new byte[0]);
        Files.createSymbolicLink(parent.resolve("penstock-spool-0"), elsewhere);
        OwnedFolder.create(parent, "test").close();
        assertTrue(Files.exists(precious));
        assertFalse(Files.exists(parent.resolve("penstock-spool-0.lock")));
    }

    private void anotherProcess(End end) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Server.class.getName(),
                        parent.toString(),
                        end.name())
                .inheritIO()
                .start();
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        assertEquals(end == End.CRASH ? Server.CRASHED : 0, process.exitValue());
    }

    private enum End {
        ORDERLY,
        CRASH
    }

    /** A server in another process. Its arguments are the parent folder, and the way in which the server ends ({@link End}). */
    static final class Server {
        static final int CRASHED = 7;

        private Server() {}

        public static void main(String[] arguments) throws IOException {
            OwnedFolder folder = OwnedFolder.create(Path.of(arguments[0]), "test");
            Files.write(Files.createDirectories(folder.path().resolve("a/b")).resolve("begun"), new byte[100]);
            if (End.valueOf(arguments[1]) == End.CRASH) {
                Runtime.getRuntime().halt(CRASHED);
            }
            folder.close();
        }
    }
}

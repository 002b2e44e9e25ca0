package io.penstock.spool;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What strangers, crashes and tidy neighbours do to a folder of temporary files. */
final class SpoolFolderTest {

    @TempDir
    Path parent;

    private static List<Path> in(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    @Test
    void onlyItsOwnerCanEnter() throws IOException {
        SpoolFolder folder = SpoolFolder.create(parent);
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.path())));
        folder.close();
    }

    @Test
    void anOpenFileHasNoNameAndKeepsItsBytes() throws IOException {
        SpoolFolder folder = SpoolFolder.create(parent);
        try (FileChannel file = folder.newFile()) {
            assertEquals(List.of(), in(folder.path()), "nothing is left to find, whatever becomes of the server");
            file.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
            ByteBuffer read = ByteBuffer.allocate(3);
            file.read(read, 0);
            assertArrayEquals(new byte[] {1, 2, 3}, read.array());
        }
        folder.close();
    }

    @Test
    void itsEndLeavesNothing() throws IOException {
        SpoolFolder.create(parent).close();
        assertEquals(List.of(), in(parent));
    }

    @Test
    void aFolderThatSomebodyTidiedAwayIsMadeAgain() throws IOException {
        SpoolFolder folder = SpoolFolder.create(parent);
        Files.delete(folder.path());
        folder.newFile().close();
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.path())));
        folder.close();
    }

    @Test
    void whatACrashedServerLeftIsRemovedByTheNext() throws Exception {
        Process crashed = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Crash.class.getName(),
                        parent.toString())
                .inheritIO()
                .start();
        assertTrue(crashed.waitFor(60, TimeUnit.SECONDS));
        assertEquals(Crash.STATUS, crashed.exitValue());
        assertEquals(2, in(parent).size(), "the folder and its lock");
        SpoolFolder folder = SpoolFolder.create(parent);
        assertEquals(2, in(parent).size(), "those of the new server");
        folder.close();
        assertEquals(List.of(), in(parent));
    }

    /** A server that ends without a word, in the middle of an upload. */
    static final class Crash {
        static final int STATUS = 7;

        private Crash() {}

        public static void main(String[] arguments) throws IOException {
            SpoolFolder folder = SpoolFolder.create(Path.of(arguments[0]));
            Files.write(folder.path().resolve("begun"), new byte[100]); // as if it had no time to delete the name
            Runtime.getRuntime().halt(STATUS);
        }
    }

    @Test
    void aServerThatLivesKeepsItsFolder() throws IOException {
        SpoolFolder first = SpoolFolder.create(parent);
        SpoolFolder second = SpoolFolder.create(parent);
        assertTrue(Files.isDirectory(first.path()));
        assertTrue(Files.isDirectory(second.path()));
        second.close();
        first.newFile().close();
        first.close();
    }

    @Test
    void aLinkInPlaceOfAStaleFolderIsNotFollowed(@TempDir Path elsewhere) throws IOException {
        Path precious = Files.write(elsewhere.resolve("precious"), new byte[1]);
        Files.write(parent.resolve("penstock-spool-0.lock"), new byte[0]);
        Files.createSymbolicLink(parent.resolve("penstock-spool-0"), elsewhere);
        SpoolFolder.create(parent).close();
        assertTrue(Files.exists(precious));
        assertFalse(Files.exists(parent.resolve("penstock-spool-0.lock")));
    }
}

package io.penstock.acme;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the folder in which the server stores the files of one ACME authority. */
class KeptFilesTest {
    @TempDir
    Path folder;

    private String problem(Path place) {
        return assertThrows(IOException.class, () -> KeptFiles.open(place)).getMessage();
    }

    @Test
    void twoServersCannotUseTheSameFolder() throws Exception {
        try (KeptFiles first = KeptFiles.open(folder)) {
            assertEquals(folder + " is used by another server", problem(folder));
            assertFalse(first.hasAccount());
        }
        KeptFiles.open(folder).close();
    }

    /** On POSIX systems, the refused server would release the lock of the process if it opened and closed the lock file. */
    @Test
    void aRefusedServerDoesNotOpenTheFolderForServersOfOtherProcesses() throws Exception {
        Path lock = folder.resolve("lock");
        try (KeptFiles first = KeptFiles.open(folder)) {
            assertEquals(folder + " is used by another server", problem(folder));
            assertFalse(otherProcessLocks(lock));
            first.close();
            assertTrue(otherProcessLocks(lock));
        }
    }

    private static boolean otherProcessLocks(Path file) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        OtherProcess.class.getName(),
                        file.toString())
                .inheritIO()
                .start();
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        int end = process.exitValue();
        assertTrue(end == OtherProcess.LOCKED || end == OtherProcess.REFUSED, "the process ended with " + end);
        return end == OtherProcess.LOCKED;
    }

    /** Another process, which tries to lock the file that its argument names. */
    static final class OtherProcess {
        static final int LOCKED = 7;
        static final int REFUSED = 8;

        private OtherProcess() {}

        public static void main(String[] arguments) throws IOException {
            try (FileChannel channel = FileChannel.open(Path.of(arguments[0]), StandardOpenOption.WRITE)) {
                System.exit(channel.tryLock() == null ? REFUSED : LOCKED);
            }
        }
    }

    @Test
    void aFolderIsRefusedIfOtherUsersCanWriteToIt() throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwx---"));
        assertEquals("others can write to " + folder + ", and could replace keys there", problem(folder));
    }

    @Test
    void aFileAndAPathBelowAFileAreNotAcceptedAsTheFolder() throws Exception {
        Path file = Files.createFile(folder.resolve("file"));
        assertEquals(file + " is not a folder", problem(file));
        assertEquals(
                "the folder " + file.resolve("a") + " cannot be made: Not a directory", problem(file.resolve("a")));
    }

    @Test
    void theAccountKeyIsStoredAndReadAgain() throws Exception {
        KeyPair made;
        try (KeptFiles files = KeptFiles.open(folder)) {
            made = files.account();
        }
        try (KeptFiles files = KeptFiles.open(folder)) {
            assertArrayEquals(
                    made.getPrivate().getEncoded(), files.account().getPrivate().getEncoded());
            assertEquals(made.getPublic(), files.account().getPublic());
        }
    }

    /** If a process ends during a write, a temporary file remains beside the unchanged old file. The test creates such a temporary file. */
    @Test
    void aPartlyWrittenFileIsNeverRead() throws Exception {
        Path file = folder.resolve("certificate.pem");
        try (KeptFiles files = KeptFiles.open(folder)) {
            files.write(file, "former");
            Files.writeString(folder.resolve("certificate.pem.partial"), "hal");
            assertEquals("former", Files.readString(file));
            files.write(file, "new");
            assertEquals("new", Files.readString(file));
            assertFalse(Files.exists(folder.resolve("certificate.pem.partial")));
        }
    }
}

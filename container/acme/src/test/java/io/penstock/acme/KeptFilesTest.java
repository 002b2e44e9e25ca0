package io.penstock.acme;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
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

package io.penstock.spool;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the folder of the temporary files. Other users must not be able to enter the folder. The server must still work if another process
 * deletes the folder.
 */
final class SpoolFolderTest {

    @TempDir
    Path parent;

    private static List<Path> in(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    @Test
    void onlyTheOwnerCanEnterTheFolder() throws IOException {
        SpoolFolder folder = SpoolFolder.create(parent);
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.path())));
        folder.close();
    }

    @Test
    void anOpenFileIsNotListedInTheFolderAndCanBeWrittenAndRead() throws IOException {
        SpoolFolder folder = SpoolFolder.create(parent);
        try (FileChannel file = folder.newFile()) {
            assertEquals(List.of(), in(folder.path()), "the files that are listed in the folder while a file is open");
            file.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
            ByteBuffer read = ByteBuffer.allocate(3);
            file.read(read, 0);
            assertArrayEquals(new byte[] {1, 2, 3}, read.array());
        }
        folder.close();
    }

    @Test
    void closeRemovesTheFolder() throws IOException {
        SpoolFolder.create(parent).close();
        assertEquals(List.of(), in(parent));
    }

    @Test
    void aDeletedFolderIsCreatedAgainForTheNextFile() throws IOException {
        SpoolFolder folder = SpoolFolder.create(parent);
        Files.delete(folder.path());
        folder.newFile().close();
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.path())));
        folder.close();
    }

    @Test
    void aSecondServerDoesNotDeleteTheFolderOfARunningServer() throws IOException {
        SpoolFolder first = SpoolFolder.create(parent);
        SpoolFolder second = SpoolFolder.create(parent);
        assertTrue(Files.isDirectory(first.path()));
        assertTrue(Files.isDirectory(second.path()));
        second.close();
        first.newFile().close();
        first.close();
    }
}

package io.penstock.limits;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the claims by which the servers of one process exclude each other from a file. */
class FileClaimTest {
    @TempDir
    Path folder;

    @Test
    void aFileHasOneClaimWhateverThePathToItsFolder() throws Exception {
        Path link = Files.createSymbolicLink(folder.resolve("link"), Files.createDirectory(folder.resolve("real")));
        FileClaim first = FileClaim.of(folder.resolve("real/lock"));
        assertNotNull(first);
        assertNull(FileClaim.of(folder.resolve("real/lock")));
        assertNull(FileClaim.of(link.resolve("lock")));
        assertNull(FileClaim.of(link.resolve("../real/./lock")));
        try (FileClaim other = FileClaim.of(folder.resolve("real/other"))) {
            assertNotNull(other);
        }
        first.close();
        FileClaim second = FileClaim.of(link.resolve("lock"));
        assertNotNull(second);
        first.close();
        assertNull(FileClaim.of(folder.resolve("real/lock")), "the second close of the first claim");
        second.close();
    }
}

package io.penstock.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OperatorFileTest {
    @TempDir
    Path folder;

    @Test
    void theLinesOfAFileAreReturned() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "a\n\nbé\n");
        assertEquals(List.of("a", "", "bé"), OperatorFile.lines(file));
    }

    @Test
    void aByteOrderMarkIsNoPartOfTheFirstLine() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "\uFEFFann:x:\nbob:y:\n");
        assertEquals(List.of("ann:x:", "bob:y:"), OperatorFile.lines(file));
    }

    @Test
    void theErrorContainsTheFileAndTheReasonIfAFileCannotBeRead() throws IOException {
        assertError("missing", "no such file");
        assertError("missing/deeper", "its folder does not exist");
        Files.write(folder.resolve("latin"), "é".getBytes(StandardCharsets.ISO_8859_1));
        assertError("latin", "not in UTF-8");
        Files.createDirectory(folder.resolve("directory"));
        assertError("directory", "Is a directory");
        assertError("latin/file", "Not a directory");
    }

    private void assertError(String name, String reason) {
        Path file = folder.resolve(name);
        IOException e = assertThrows(IOException.class, () -> OperatorFile.lines(file));
        assertEquals(file + ": " + reason, e.getMessage());
    }

    /** The test calls {@code reason} directly: if root runs the test, every file can be read. */
    @Test
    void theReasonIsPermissionDeniedIfReadPermissionIsMissing() {
        assertEquals("permission denied", OperatorFile.reason(new AccessDeniedException("file")));
    }

    @Test
    void theExplanationHasNoNameOfAClass() {
        assertEquals("/srv/x: no such file", OperatorFile.explained(new NoSuchFileException("/srv/x")));
        assertEquals("/srv/x: not a folder", OperatorFile.explained(new NotDirectoryException("/srv/x")));
        assertEquals("/srv/x: already exists", OperatorFile.explained(new FileAlreadyExistsException("/srv/x")));
        assertEquals(
                "/srv/x: No space left on device",
                OperatorFile.explained(new FileSystemException("/srv/x", null, "No space left on device")));
        assertEquals("No space left on device", OperatorFile.explained(new IOException("No space left on device")));
        assertEquals("ClosedChannelException", OperatorFile.explained(new ClosedChannelException()));
    }
}

package io.penstock.accesslog;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.OtherProcess;
import io.penstock.limits.AccessLogging.Rotate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests two servers with the same log file. A server must not rotate a file while another server writes to the file, because lines of the
 * other server can be lost. So a second server with rotation does not start.
 */
class TwoServersOneLogTest {
    private static final long SIZE = 64 << 10;

    @TempDir
    Path folder;

    private LogSite rotating(Path file) throws IOException {
        return new LogSite(file, "common", 100, SIZE, Rotate.NEVER, 0);
    }

    private void assertInUse(Path file) {
        IOException refusal = assertThrows(IOException.class, () -> rotating(file));
        assertTrue(refusal.getMessage().contains("another server writes and archives it"), refusal.getMessage());
    }

    @Test
    void aSecondServerDoesNotStartIfItRotatesTheSameLogFile() throws Exception {
        Path file = folder.resolve("access.log");
        try (LogSite first = rotating(file)) {
            assertInUse(file);
            first.tell("/" + "x".repeat((int) SIZE));
            first.awaitLines(1);
            first.tell("/after");
            await().until(
                            () -> LogSite.lines(file),
                            lines -> lines.size() == 1 && lines.get(0).contains("/after"));
            assertInUse(file);
            first.log.reopen();
            first.tell("/reopened");
            first.awaitLines(2);
            assertInUse(file);
        }
        assertEquals(2, LogSite.lines(file).size());
        try (LogSite next = rotating(file)) {
            next.tell("/next");
            next.awaitLines(3);
        }
    }

    /** On POSIX systems, the refused server would release the lock of the process if it opened and closed the file. */
    @Test
    void aRefusedServerDoesNotOpenTheFileForServersOfOtherProcesses() throws Exception {
        Path file = folder.resolve("access.log");
        try (LogSite first = rotating(file)) {
            assertFalse(OtherProcess.canLock(file));
            assertInUse(file);
            assertFalse(OtherProcess.canLock(file));
            assertTrue(Files.exists(first.file));
        }
        assertTrue(OtherProcess.canLock(file));
    }

    /** Without rotation, two servers can append lines to the same file, because each write consists of complete lines. */
    @Test
    void serversWithoutRotationCanShareALogFile() throws Exception {
        Path file = Files.createFile(folder.resolve("access.log"));
        try (LogSite first = new LogSite(file, "common", 16);
                LogSite second = new LogSite(file, "common", 16)) {
            first.tell("/first");
            second.tell("/second");
            first.awaitLines(2);
        }
    }
}

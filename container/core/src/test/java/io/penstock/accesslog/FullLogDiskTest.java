package io.penstock.accesslog;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the access log on a full disk. The server logs one warning, and writes the queued lines when it can write again. */
class FullLogDiskTest {
    private static final Path FULL = Path.of("/dev/full");

    @TempDir
    Path folder;

    @BeforeEach
    void assumeFullDevice() {
        assumeTrue(Files.isWritable(FULL), "the test needs /dev/full");
    }

    @Test
    void droppedLinesAreCountedAndQueuedLinesAreWrittenAfterTheLogIsReopened() throws Exception {
        Path file = folder.resolve("access.log");
        Files.createSymbolicLink(file, FULL);
        try (LogSite site = new LogSite(file, "x-id", 16)) {
            site.log.ended(Ended.get("/").number(1).summary());
            await().until(() -> !site.warnings().isEmpty());
            for (int i = 2; i <= 100; i++) {
                site.log.ended(Ended.get("/").number(i).summary());
            }
            assertEquals(100 - 17, site.dropped());
            site.log.look();
            assertEquals(1, site.warnings().size(), () -> "" + site.said.lines());
            assertTrue(
                    site.warnings().get(0).contains("No space left on device"),
                    site.warnings().get(0));
            Files.delete(file);
            site.log.reopen();
            site.awaitLines(2 + 17);
            assertEquals(
                    List.of("#Version: 1.0", "#Fields: x-id", "c7-1", "c7-2"),
                    LogSite.lines(file).subList(0, 4));
            await().until(() ->
                    site.said.lines().stream().anyMatch(line -> line.contains("is written again; 83 requests")));
        }
        assertEquals("c7-17", LogSite.lines(file).get(18));
    }

    @Test
    void anIncompleteLastLineOfAReopenedFileIsTerminated() throws Exception {
        Path file = folder.resolve("access.log");
        Files.createSymbolicLink(file, FULL);
        try (LogSite site = new LogSite(file, "x-id", 16)) {
            site.log.ended(Ended.get("/").number(1).summary());
            await().until(() -> !site.warnings().isEmpty());
            Files.delete(file);
            Files.writeString(file, "#Version: 1.0\n#Fields: x-id\nc6-");
            site.log.reopen();
            site.awaitLines(4);
        }
        assertEquals(List.of("#Version: 1.0", "#Fields: x-id", "c6-", "c7-1"), LogSite.lines(file));
    }

    @Test
    void closingTheLogDoesNotWaitForDiskSpace() throws Exception {
        LogSite site = new LogSite(FULL, "common", 16);
        for (int i = 0; i < 5; i++) {
            site.tell("/");
        }
        site.close();
        await().until(() -> site.dropped() == 5); // the writer has dropped all lines
        assertEquals(1, site.warnings().size());
    }
}

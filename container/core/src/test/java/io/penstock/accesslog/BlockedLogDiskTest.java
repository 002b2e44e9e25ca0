package io.penstock.accesslog;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.PromptWaits;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the access log on a disk that does not respond. The log drops and counts lines. Requests do not wait for the disk. */
class BlockedLogDiskTest {
    private static final int RING = 16;

    @TempDir
    Path folder;

    @Test
    void aBlockedDiskDelaysNoRequestsAndDroppedLinesAreCounted() throws Exception {
        Path pipe = NamedPipe.make(folder);
        LogSite site = new LogSite(pipe, "x-id", RING);
        int told = 100_000;
        for (int i = 0; i < told; i++) {
            site.log.ended(Ended.get("/").number(i).summary());
        }
        // The writer thread has taken some lines, and waits until the test reads from the named pipe.
        assertTrue(site.dropped() > 0);
        List<String> lines = new ArrayList<>();
        try (BufferedReader reader = Files.newBufferedReader(pipe, StandardCharsets.US_ASCII)) {
            CompletableFuture<Void> closed = CompletableFuture.runAsync(site::close);
            reader.lines().forEach(lines::add);
            closed.join();
        }
        assertEquals(List.of("#Version: 1.0", "#Fields: x-id"), lines.subList(0, 2));
        assertEquals(told, lines.size() - 2 + site.dropped());
        List<Long> numbers = lines.stream()
                .skip(2)
                .map(line -> Long.valueOf(line.substring("c7-".length())))
                .toList();
        assertEquals(numbers.stream().sorted().toList(), numbers);
        assertEquals(0, numbers.get(0), "the first line must be the line of the first request");
    }

    @Test
    void aBlockedDiskCausesAtMostOneWarningPerMinuteAndOneMessageWhenItRecovers() throws Exception {
        Path pipe = NamedPipe.make(folder);
        LogSite site = new LogSite(pipe, "common", RING);
        site.log.look();
        assertEquals(List.of(), site.said.lines());
        for (int second = 0; second < 150; second++) {
            for (int i = 0; i < 10 * RING; i++) {
                site.tell("/");
            }
            site.log.look();
            site.nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        }
        assertEquals(3, site.warnings().size(), () -> "" + site.said.lines());
        assertTrue(
                site.warnings().get(0).contains("does not keep up"),
                site.warnings().get(0));
        try (BufferedReader reader = Files.newBufferedReader(pipe, StandardCharsets.US_ASCII)) {
            assertTrue(reader.readLine().contains("\"GET / HTTP/1.1\" 200"));
            await().until(() -> site.said.lines().stream()
                    .anyMatch(line -> line.startsWith("INFO") && line.contains("is written again")));
            site.close();
        }
    }

    /** The total size of the waiting lines is limited, even if the buffer for these lines has free slots. */
    @Test
    void theTotalSizeOfWaitingLinesIsLimited() throws Exception {
        Path pipe = NamedPipe.make(folder);
        LogSite site = new LogSite(pipe, "combined", 1000);
        site.tell("/first");
        String text = "x".repeat(30_000);
        for (int i = 0; i < 1000; i++) {
            site.log.ended(Ended.get("/").field("User-Agent", text).summary());
        }
        assertTrue(site.dropped() > 900, () -> "dropped lines: " + site.dropped());
        long before = site.dropped();
        site.tell("/short");
        assertEquals(before, site.dropped());
        try (BufferedReader reader = Files.newBufferedReader(pipe, StandardCharsets.US_ASCII)) {
            CompletableFuture<Void> closed = CompletableFuture.runAsync(site::close);
            long lines = reader.lines().count();
            closed.join();
            assertEquals(1002, lines + site.dropped());
        }
    }

    /** A client can send a method that is almost as long as the limit for the request line. */
    @Test
    void theSizeLimitOfWaitingLinesIncludesLongRequestMethods() throws Exception {
        Path pipe = NamedPipe.make(folder);
        LogSite site = new LogSite(pipe, "common", 1000);
        site.tell("/first");
        String method = "M".repeat(8_000);
        for (int i = 0; i < 900; i++) {
            site.log.ended(Ended.get("/").method(method).summary());
        }
        assertTrue(site.dropped() > 700, () -> "dropped lines: " + site.dropped());
        try (BufferedReader reader = Files.newBufferedReader(pipe, StandardCharsets.US_ASCII)) {
            CompletableFuture<Void> closed = CompletableFuture.runAsync(site::close);
            long lines = reader.lines().count();
            closed.join();
            assertEquals(901, lines + site.dropped());
        }
    }

    @Test
    void theLogIsClosedAfterALimitedTimeIfTheDiskIsBlocked() throws Exception {
        Path pipe = NamedPipe.make(folder);
        LogSite site = new LogSite(pipe, "common", RING);
        site.tell("/");
        long before = System.nanoTime();
        site.close();
        assertTrue(Duration.ofNanos(System.nanoTime() - before).compareTo(PromptWaits.PATIENCE) < 0);
        // The writer thread continues when the test opens the named pipe for reading.
        try (BufferedReader reader = Files.newBufferedReader(pipe, StandardCharsets.US_ASCII)) {
            assertTrue(reader.readLine().contains("GET /"));
        }
    }
}

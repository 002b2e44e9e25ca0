package io.penstock.accesslog;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.RecordedLog;
import io.penstock.events.Request;
import io.penstock.events.RequestSummary;
import io.penstock.limits.AccessLogging;
import io.penstock.limits.AccessLogging.Rotate;
import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import io.penstock.memory.Rounds;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests errors while the access log formats or writes a line. Only the line with the error is lost, and the log continues. */
class FailingWriterTest {

    @TempDir
    Path folder;

    private static RequestSummary failing(Error failure) {
        RequestSummary summary = Ended.get("/fail").summary();
        Request request = summary.request();
        Request.FieldLookup fields = name -> {
            throw failure;
        };
        return new RequestSummary(
                new Request(
                        request.connection(),
                        request.number(),
                        request.remote(),
                        request.method(),
                        request.target(),
                        request.protocol(),
                        fields),
                summary.user(),
                summary.outcome(),
                summary.status(),
                summary.reason(),
                summary.volume(),
                summary.times());
    }

    @Test
    void aFormattingErrorReachesTheCallerAndTheLineIsCountedAsDropped() throws Exception {
        Path file = folder.resolve("access.log");
        LogSite site = new LogSite(file, "combined", 16);
        site.tell("/a");
        for (Error failure : List.of(new OutOfMemoryError("as if"), new AssertionError("as if"))) {
            assertSame(failure, assertThrows(Error.class, () -> site.log.ended(failing(failure))));
        }
        site.tell("/b");
        site.close();
        assertEquals(2, LogSite.lines(file).size());
        assertEquals(2, site.dropped());
    }

    @Test
    void theWriterThreadContinuesAfterAnErrorInOneLine() throws Exception {
        Path file = folder.resolve("access.log");
        AccessLogging config = new AccessLogging(
                AccessLogging.Where.FILE, file, "x-id", 16, 0, Rotate.NEVER, 0, List.of(), List.of(), "");
        RecordedLog said = new RecordedLog();
        Counters counters = new Counters();
        LogRing<byte[]> ring = new LogRing<>(config.ring());
        LogWriter writer = new LogWriter(
                ring,
                LineFormat.of("common", ZoneOffset.UTC, ""),
                new LogFile(config, InstantSource.system(), ZoneOffset.UTC),
                new WriteFailureLog(said, "it", counters, System::nanoTime),
                Rounds.unwatched(),
                line -> {
                    if (line[1] == 'f') {
                        throw new OutOfMemoryError("as if");
                    }
                });
        Thread thread = new Thread(writer, "log-writer");
        thread.start();
        for (String line : List.of("/a\n", "/fail\n", "/b\n", "/fail\n")) {
            ring.offer(line.getBytes(StandardCharsets.US_ASCII));
        }
        await().until(() -> said.lines().size() == 1);
        await().until(() -> ring.waiting() == 0);
        ring.offer("/c\n".getBytes(StandardCharsets.US_ASCII));
        ring.close();
        thread.join(LogSite.PATIENCE.toMillis());
        List<String> lines = LogSite.lines(file);
        assertEquals("/c", lines.get(lines.size() - 1));
        assertFalse(lines.contains("/fail"));
        assertEquals(5, lines.size() + counters.value(Counter.ACCESS_LOG_DROPPED));
    }
}

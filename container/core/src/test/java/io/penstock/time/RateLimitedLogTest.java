package io.penstock.time;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.RecordedLog;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RateLimitedLogTest {
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 10);
    private final RateLimitedLog limited = new RateLimitedLog(now::get, Duration.ofNanos(100));

    @Test
    void theFirstEventIsReportedImmediatelyAndLaterEventsAreReportedTogether() {
        assertEquals(1, limited.happened());
        assertEquals(0, limited.happened());
        now.addAndGet(99);
        assertEquals(0, limited.happened());
        now.addAndGet(1);
        assertEquals(3, limited.happened());
        assertEquals(0, limited.happened());
    }

    @Test
    void failuresAreLoggedInOneLineWithoutAStackTrace() {
        RecordedLog log = new RecordedLog();
        IOException failure = new IOException("disk full");
        limited.warn(log, "Files cannot be written", failure);
        limited.warn(log, "Files cannot be written", failure);
        now.addAndGet(100);
        limited.warn(log, "Files cannot be written", failure);
        assertEquals(
                List.of(
                        "WARN Files cannot be written (1 since the last message): java.io.IOException: disk full",
                        "WARN Files cannot be written (2 since the last message): java.io.IOException: disk full"),
                log.lines().stream().filter(line -> line.startsWith("WARN")).toList());
        assertEquals(
                3, log.lines().stream().filter(line -> line.startsWith("DEBUG")).count());
    }
}

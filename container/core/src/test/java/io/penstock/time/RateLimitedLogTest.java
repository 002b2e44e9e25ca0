package io.penstock.time;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
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
}

package io.penstock.time;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class WallClockTest {
    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final AtomicLong nanos =
            new AtomicLong(Long.MAX_VALUE - SECOND); // System.nanoTime() can have any value, and can overflow
    private final AtomicReference<Instant> wall = new AtomicReference<>(NOON);
    private final AtomicInteger wallClockReads = new AtomicInteger();
    private final WallClock clock = new WallClock(nanos::get, () -> {
        wallClockReads.incrementAndGet();
        return wall.get();
    });

    private void advance(Duration time) {
        nanos.addAndGet(time.toNanos());
        wall.updateAndGet(now -> now.plus(time));
    }

    @Test
    void nanoTimesAreConvertedToWallClockTimes() {
        long began = nanos.get();
        assertEquals(NOON, clock.at(began));
        advance(Duration.ofSeconds(10));
        assertEquals(NOON, clock.at(began));
        assertEquals(NOON.plusSeconds(10), clock.at(nanos.get()));
        assertEquals(NOON.plusSeconds(9), clock.at(nanos.get() - SECOND));
    }

    @Test
    void theWallClockIsReadAtMostOncePerInterval() {
        for (int i = 0; i < 100; i++) {
            clock.at(nanos.get());
            advance(Duration.ofNanos(WallClock.BETWEEN_LOOKS.toNanos() / 100));
        }
        assertEquals(1, wallClockReads.get());
        advance(Duration.ofNanos(1));
        clock.at(nanos.get());
        assertEquals(2, wallClockReads.get());
    }

    @Test
    void aChangeOfTheWallClockHasAnEffectWhenTheWallClockIsReadAgain() {
        wall.set(NOON.minusSeconds(3_600));
        advance(WallClock.BETWEEN_LOOKS.plusNanos(1));
        assertEquals(wall.get(), clock.at(nanos.get()));
    }
}

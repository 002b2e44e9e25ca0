package io.penstock.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SaturatedTest {
    private static final Duration ENDLESS = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);
    private static final Duration ENDLESS_AGO = Duration.ofSeconds(Long.MIN_VALUE);

    @Test
    void timesInsideTheRangeAreConvertedExactly() {
        for (Duration time : new Duration[] {
            Duration.ZERO,
            Duration.ofNanos(1),
            Duration.ofNanos(-1),
            Duration.ofMillis(1500),
            Duration.ofMillis(-1500),
            Duration.ofDays(3650)
        }) {
            assertEquals(time.toNanos(), Saturated.nanos(time));
            assertEquals(time.toMillis(), Saturated.millis(time));
        }
        assertEquals(Long.MAX_VALUE - 1, Saturated.millis(Duration.ofMillis(Long.MAX_VALUE - 1)));
        assertEquals(1234, Saturated.millis(Instant.ofEpochMilli(1234)));
        assertEquals(7, Saturated.count(7));
    }

    @Test
    void valuesOutsideTheRangeAreReplacedByTheNearestLimit() {
        for (Duration time : new Duration[] {ENDLESS, Duration.ofMillis(Long.MAX_VALUE), Duration.ofDays(200 * 365)}) {
            assertEquals(Saturated.LONGEST_NANOS, Saturated.nanos(time));
            assertEquals(-Saturated.LONGEST_NANOS, Saturated.nanos(time.negated()));
        }
        assertEquals(-Saturated.LONGEST_NANOS, Saturated.nanos(ENDLESS_AGO));
        assertEquals(Long.MAX_VALUE, Saturated.millis(ENDLESS));
        assertEquals(-Long.MAX_VALUE, Saturated.millis(ENDLESS_AGO));
        assertEquals(Long.MAX_VALUE, Saturated.millis(Instant.MAX));
        assertEquals(Long.MIN_VALUE, Saturated.millis(Instant.MIN));
        assertEquals(Integer.MAX_VALUE, Saturated.count(1L + Integer.MAX_VALUE));
        assertEquals(0, Saturated.count(-1));
    }

    @Test
    void theLongestTimeCanBeAddedToAClockValueWithoutOverflow() {
        assertTrue(System.nanoTime() + Saturated.nanos(ENDLESS) > System.nanoTime());
        assertTrue(Long.MAX_VALUE / 2 + Saturated.nanos(ENDLESS) > 0);
    }
}

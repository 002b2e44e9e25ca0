package io.penstock.acme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests the pauses after failed orders. */
class RetryPauseTest {

    @Test
    void eachPauseIsBetween75And100PercentOfItsMaximum() {
        RetryPause longest = new RetryPause(() -> 0L);
        RetryPause shortest = new RetryPause(() -> -1L);
        RetryPause any = new RetryPause(new Random(8555));
        for (int failures = 1; failures < 100; failures++) {
            Duration bound = longest.after(failures);
            Duration least = shortest.after(failures);
            assertEquals(0.75, (double) least.toMillis() / bound.toMillis(), 0.001);
            Duration pause = any.after(failures);
            assertTrue(
                    pause.compareTo(bound) <= 0 && pause.compareTo(least) >= 0,
                    "the pause after " + failures + " failures: " + pause);
        }
    }

    @Test
    void thePauseIsOneMinuteAfterOneFailureAndOneDayAfterMaxIntFailures() {
        assertEquals(RetryPause.FIRST, new RetryPause(() -> 0L).after(1));
        assertEquals(RetryPause.LONGEST, new RetryPause(() -> 0L).after(Integer.MAX_VALUE));
    }
}

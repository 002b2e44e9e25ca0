package io.penstock.peer.content;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that {@link Calls#reset} discards the maximum values from before the reset. A permit simulates a database connection that a servlet
 * holds during a call.
 */
class CallsTest {
    private static final long MINUTE = TimeUnit.MINUTES.toMicros(1);

    /** The time one minute ago. The test pretends that a permit was taken at this time. */
    private static final Long ONE_MINUTE_AGO = System.nanoTime() - TimeUnit.MINUTES.toNanos(1);

    @BeforeEach
    @AfterEach
    void resetCalls() {
        Calls.reset();
    }

    @Test
    void theLongestHoldingTimeOfAPermitIsMeasuredSinceTheLastReset() {
        Calls.givePermit(ONE_MINUTE_AGO);
        assertTrue(Calls.longestPermitMicros() >= MINUTE);
        Calls.reset();
        assertTrue(Calls.longestPermitMicros() < MINUTE);
        Calls.givePermit(Calls.takePermit());
        assertTrue(Calls.longestPermitMicros() < MINUTE);
    }

    @Test
    void theMaximumNumberOfConcurrentCallsIsMeasuredSinceTheLastReset() {
        Calls.enter();
        Calls.enter();
        Calls.leave();
        assertEquals(2, Calls.most());
        Calls.reset();
        assertEquals(1, Calls.most());
        Calls.leave();
    }
}

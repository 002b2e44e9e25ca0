package io.penstock.peer.content;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that a reset discards the values from before the reset. */
class CallsTest {
    private static final long MINUTE = TimeUnit.MINUTES.toMicros(1);

    /** The time one minute ago. A permit that was taken at this time, and is given back now, was held for one minute. */
    private static final Long LONG_AGO = System.nanoTime() - TimeUnit.MINUTES.toNanos(1);

    @BeforeEach
    @AfterEach
    void resetCalls() {
        Calls.reset();
    }

    @Test
    void theLongestPermitIsMeasuredSinceTheLastReset() {
        Calls.givePermit(LONG_AGO);
        assertTrue(Calls.longestPermitMicros() >= MINUTE);
        Calls.reset();
        assertTrue(Calls.longestPermitMicros() < MINUTE);
        Calls.givePermit(Calls.takePermit());
        assertTrue(Calls.longestPermitMicros() < MINUTE);
    }

    @Test
    void theMaximumOfConcurrentCallsIsCountedSinceTheLastReset() {
        Calls.enter();
        Calls.enter();
        Calls.leave();
        assertEquals(2, Calls.most());
        Calls.reset();
        assertEquals(1, Calls.most());
        Calls.leave();
    }
}

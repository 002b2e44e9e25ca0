package io.penstock.peer.content;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What was before a reset is not told behind it. */
class CallsTest {
    /** Taken so long ago, as if somebody had held it. */
    private static final Long LONG_AGO = System.nanoTime() - TimeUnit.MINUTES.toNanos(1);

    @BeforeEach
    @AfterEach
    void forget() {
        Calls.reset();
    }

    @Test
    void theLongestPermitIsThatSinceTheLastReset() {
        Calls.givePermit(LONG_AGO);
        assertTrue(Calls.longestPermitMillis() >= 60_000);
        Calls.reset();
        assertTrue(Calls.longestPermitMillis() < 60_000);
        Calls.givePermit(Calls.takePermit());
        assertTrue(Calls.longestPermitMillis() < 60_000);
    }

    @Test
    void theMostCallsAreThoseSinceTheLastReset() {
        Calls.enter();
        Calls.enter();
        Calls.leave();
        assertEquals(2, Calls.most());
        Calls.reset();
        assertEquals(1, Calls.most());
        Calls.leave();
    }
}

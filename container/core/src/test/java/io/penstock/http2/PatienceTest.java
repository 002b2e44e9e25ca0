package io.penstock.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class PatienceTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void aClientOwesNoMoreThanTwoSeconds() {
        Patience patience = new Patience(0);
        assertTrue(patience.isLostBy(1_000_000, 0));
        assertEquals(Duration.ofSeconds(2), patience.untilRegained(0));
        assertEquals(Duration.ofSeconds(1), patience.untilRegained(SECOND));
        assertEquals(Duration.ZERO, patience.untilRegained(2 * SECOND));
        assertTrue(patience.isLostBy(1, 2 * SECOND));
        assertFalse(patience.isLostBy(1, 3 * SECOND));
    }
}

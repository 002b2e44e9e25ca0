package io.penstock.certificates;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Tests when an OCSP responder is asked again. */
class OcspPauseTest {
    private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");

    @Test
    void theNextQuestionWaitsForItsTime() {
        assertTrue(OcspStapling.isDue(Instant.MIN, NOW));
        assertTrue(OcspStapling.isDue(NOW, NOW));
        assertFalse(OcspStapling.isDue(NOW.plusSeconds(1), NOW));
        assertFalse(OcspStapling.isDue(NOW.plus(Duration.ofHours(1)), NOW));
    }

    @Test
    void aQuestionIsDueIfTheClockWasSetBackSinceTheLastOne() {
        assertTrue(OcspStapling.isDue(NOW.plus(Duration.ofDays(1000)), NOW));
    }
}

package io.penstock.loadtest.compare.scenarios;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.loadtest.crowd.Tally;
import org.junit.jupiter.api.Test;

/**
 * Tests the text about the slow clients. The text says how many slow clients were connected, answered and disconnected. Readers are slow
 * clients that read a response slowly. A burst is the first part of a slow upload; the client sends this part fast. A permit simulates a
 * database connection that a servlet holds.
 */
class SlowSideTest {
    @Test
    void theTextContainsOnlyTheNumberOfConnectedClientsIfAllClientsAreConnected() {
        Tally tally = tally(20, 20, 0, 0, 0);
        assertEquals("20 connected, never fewer than 20", SlowSide.describe(tally, tally));
    }

    @Test
    void clientsThatCouldNotConnectAreReportedWithTheReason() {
        Tally tally = tally(9000, 20, 0, 0, 0);
        assertEquals(
                "only 20 of 9000 connected (connection reset), never fewer than 20", SlowSide.describe(tally, tally));
    }

    @Test
    void answeredReadersAndReceivedBurstsAreCountedSeparately() {
        Tally tally = tally(20, 20, 5, 8, 3);
        assertEquals(
                "20 connected, 5 of 10 readers being answered, 3 of 8 bursts taken, never fewer than 20; 1 disconnected and connected again;"
                        + " 3 of them answered, 2 refused",
                SlowSide.describe(tally, new Tally(20, 20, 5, 10, 3, 8, 20, 1, 3, 2, "connection reset")));
    }

    @Test
    void aColumnForThePermitTimeIsAddedOnlyForAServletWithPermits() {
        assertFalse(SlowSide.columns().stream().anyMatch(column -> column.key().equals("permitMillis")));
        assertTrue(SlowSide.columnsWithPermits().stream()
                .anyMatch(column -> column.key().equals("permitMillis")));
        assertTrue(SlowSide.columnsWithPermits().containsAll(SlowSide.columns()));
    }

    private static Tally tally(int size, int standing, int beingAnswered, int bursts, int burstsSent) {
        int readers = beingAnswered == 0 ? 0 : 10;
        return new Tally(
                size, standing, beingAnswered, readers, burstsSent, bursts, standing, 0, 0, 0, "connection reset");
    }
}

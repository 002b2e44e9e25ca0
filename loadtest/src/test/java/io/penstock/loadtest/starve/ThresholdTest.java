package io.penstock.loadtest.starve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.loadtest.starve.StarveExperiment.Threshold;
import org.junit.jupiter.api.Test;

/** Tests the search for the smallest number of slow clients that stops a server. */
class ThresholdTest {
    @Test
    void everyThresholdIsFoundByTryingNumbersUpToTwiceTheThreshold() {
        for (int first = 1; first <= 9; first++) {
            for (int from = 1; from <= 600; from++) {
                Threshold threshold = new Threshold(first, 1000);
                int tries = 0;
                for (int next = threshold.next(); next > 0; next = threshold.next()) {
                    assertTrue(next <= Math.max(first, 2 * from), "tried " + next + " for the threshold " + from);
                    threshold.tried(next, next >= from);
                    tries++;
                }
                assertTrue(threshold.isFound());
                assertEquals(from, threshold.with());
                assertEquals(from - 1, threshold.without());
                assertTrue(tries <= 21, tries + " tries for the threshold " + from);
            }
        }
    }

    @Test
    void theLargestAllowedNumberIsTriedLastIfNoNumberStopsTheServer() {
        Threshold threshold = new Threshold(4, 50);
        int last = 0;
        for (int next = threshold.next(); next > 0; next = threshold.next()) {
            last = next;
            threshold.tried(next, false);
        }
        assertEquals(50, last);
        assertEquals(50, threshold.without());
        assertFalse(threshold.isFound());
    }

    @Test
    void theFirstTriedNumberIsNotGreaterThanTheLargestAllowedNumber() {
        assertEquals(3, new Threshold(4, 3).next());
    }
}

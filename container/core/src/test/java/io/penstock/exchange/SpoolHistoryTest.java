package io.penstock.exchange;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** {@link SpoolHistory} predicts whether a response will wait for the disk. The prediction uses the last sixteen responses. */
final class SpoolHistoryTest {
    private final SpoolHistory history = new SpoolHistory();

    private void waited(int responses) {
        for (int i = 0; i < responses; i++) {
            history.waited();
        }
    }

    private void didNotWait(int responses) {
        for (int i = 0; i < responses; i++) {
            history.didNotWait();
        }
    }

    @Test
    void aWaitForTheDiskIsExpectedAfterFourWaitsInSixteenResponses() {
        assertFalse(history.isExpected());
        didNotWait(100);
        waited(3);
        assertFalse(history.isExpected());
        waited(1);
        assertTrue(history.isExpected());
    }

    @Test
    void noWaitIsExpectedAfterThirteenResponsesWithoutAWait() {
        waited(100);
        didNotWait(12);
        assertTrue(history.isExpected());
        didNotWait(1);
        assertFalse(history.isExpected());
        didNotWait(3);
        waited(3);
        assertFalse(history.isExpected(), "responses before the last sixteen were counted");
    }

    @Test
    void noWaitIsExpectedIfOnlyOneOfTenResponsesHasWaited() {
        for (int i = 0; i < 100; i++) {
            didNotWait(9);
            waited(1);
            assertFalse(history.isExpected());
        }
    }
}

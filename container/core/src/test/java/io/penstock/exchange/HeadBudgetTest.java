package io.penstock.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.http.Violation;
import io.penstock.limits.Key;
import org.junit.jupiter.api.Test;

/** The reservations of the budget of heads. A fifth of the budget is for unusual heads: large ones, and those of requests sent ahead. */
final class HeadBudgetTest {
    private static final int LIMIT = 100_000;
    private static final int LARGE = HeadBudget.USUAL + 1;

    private final HeadBudget budget = new HeadBudget(LIMIT);

    @Test
    void usualHeadsMayUseTheWholeBudget() throws Violation {
        for (int i = 0; i < 25; i++) {
            budget.reserve(0, 4000, false);
        }
        assertEquals(LIMIT, budget.used());
        assertEquals(
                Key.HEAD_BUDGET,
                assertThrows(Violation.class, () -> budget.reserve(0, 1, false)).limit());
        assertEquals(LIMIT, budget.used());
    }

    @Test
    void largeHeadsAndHeadsOfRequestsSentAheadUseOnlyAFifth() throws Violation {
        int first = budget.reserve(0, 10_000, false);
        assertFalse(budget.isTight());
        int second = budget.reserve(0, 1000, true);
        assertTrue(budget.isTight());
        int third = budget.reserve(0, 9000, false);
        assertThrows(Violation.class, () -> budget.reserve(0, LARGE, false));
        assertThrows(Violation.class, () -> budget.reserve(0, 1, true));
        int usual = budget.reserve(0, 4000, false);
        assertEquals(24_000, budget.used());
        budget.giveBack(first);
        budget.reserve(0, LARGE, false);
        budget.giveBack(second);
        budget.giveBack(third);
        budget.giveBack(usual);
        assertEquals(LARGE, budget.used());
        assertFalse(budget.isTight());
    }

    @Test
    void aReservationGrowsFromUsualToUnusual() throws Violation {
        int held = budget.reserve(0, 1000, false);
        assertEquals(held, budget.reserve(held, 500, false));
        held = budget.reserve(held, 2000, false);
        held = budget.reserve(held, 12_000, false);
        assertEquals(12_000, budget.used());
        int grown = held;
        assertThrows(Violation.class, () -> budget.reserve(grown, 21_000, false));
        assertEquals(12_000, budget.used());
        held = budget.reserve(held, 20_000, false);
        assertThrows(Violation.class, () -> budget.reserve(0, 1, true));
        budget.giveBack(held);
        assertEquals(0, budget.used());
        assertEquals(20_000, Math.abs(budget.reserve(0, 20_000, true)));
    }

    @Test
    void aRefusedGrowthLeavesBothPartsUnchanged() throws Violation {
        int usual = 0;
        for (int i = 0; i < 24; i++) {
            usual = budget.reserve(0, 4000, false);
        }
        int last = usual;
        assertThrows(Violation.class, () -> budget.reserve(last, 9000, false));
        assertEquals(96_000, budget.used());
        budget.giveBack(budget.reserve(last, 8000, false));
        assertEquals(92_000, budget.used());
        assertFalse(budget.isTight());
    }
}

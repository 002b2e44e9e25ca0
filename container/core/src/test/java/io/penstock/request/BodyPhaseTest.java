package io.penstock.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BodyPhaseTest {

    /** Each state with all states that may follow it. */
    private static final String MOVES = """
            OPEN -> OPEN COMMITTED SUSPENDED FILLED FAILED
            COMMITTED -> FILLED_COMMITTED CLOSED ENDED FAILED
            SUSPENDED -> OPEN COMMITTED SUSPENDED FAILED
            FILLED -> OPEN SUSPENDED FILLED_COMMITTED FAILED
            FILLED_COMMITTED -> SENT ENDED FAILED
            CLOSED -> ENDED FAILED
            SENT -> ENDED FAILED
            ENDED -> FAILED
            FAILED ->
            """;

    private static boolean isLegal(BodyPhase from, BodyPhase to) {
        try {
            return from.to(to) == to;
        } catch (IllegalStateException e) {
            assertEquals("Not possible now: " + to + " while " + from, e.getMessage());
            return false;
        }
    }

    @Test
    void eachMoveIsLegalOrThrows() {
        StringBuilder table = new StringBuilder();
        for (BodyPhase from : BodyPhase.values()) {
            List<String> legal = new ArrayList<>();
            for (BodyPhase to : BodyPhase.values()) {
                if (isLegal(from, to)) {
                    legal.add(to.name());
                }
            }
            table.append((from + " -> " + String.join(" ", legal)).strip()).append('\n');
        }
        assertEquals(MOVES, table.toString());
    }

    @Test
    void noMoveLeadsBackFromTheWire() {
        for (BodyPhase from : BodyPhase.values()) {
            for (BodyPhase to : BodyPhase.values()) {
                if (from.isOnTheWire() && isLegal(from, to)) {
                    assertTrue(to.isOnTheWire(), from + " to " + to);
                }
            }
        }
    }

    @Test
    void bytesAreAcceptedOnlyBeforeTheEndOfTheBody() {
        for (BodyPhase phase : BodyPhase.values()) {
            assertEquals(phase == BodyPhase.OPEN || phase == BodyPhase.COMMITTED, phase.isOpen());
            assertFalse(phase.isOpen() && (phase.isFilled() || phase.isOver()), phase.name());
        }
    }

    @Test
    void aCommitAndTheEndOfTheBodyComeInEitherOrder() {
        assertEquals(BodyPhase.FILLED_COMMITTED, BodyPhase.OPEN.committed().filled());
        assertEquals(BodyPhase.FILLED_COMMITTED, BodyPhase.OPEN.filled().committed());
        assertEquals(BodyPhase.COMMITTED, BodyPhase.SUSPENDED.committed());
        for (BodyPhase over : List.of(BodyPhase.CLOSED, BodyPhase.SENT, BodyPhase.ENDED, BodyPhase.FAILED)) {
            assertThrows(IllegalStateException.class, over::committed);
            assertThrows(IllegalStateException.class, over::filled);
        }
    }
}

package io.penstock.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.penstock.exchange.PipedResponse.State;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PipedResponseStatesTest {

    /** Each state with all states that may follow it. */
    private static final String MOVES = """
            OPEN -> HELD ABORTING REPLACED
            HELD -> STREAMING ABORTING REPLACED
            STREAMING -> ENDING ABORTING REPLACED
            ENDING -> ENDED
            ENDED ->
            ABORTING -> ABORTED
            ABORTED ->
            REPLACED ->
            """;

    private static boolean isLegal(State from, State to) {
        try {
            return from.to(to) == to;
        } catch (IllegalStateException e) {
            assertEquals("A response cannot become " + to + " while it is " + from, e.getMessage());
            return false;
        }
    }

    @Test
    void eachMoveIsLegalOrThrows() {
        StringBuilder table = new StringBuilder();
        for (State from : State.values()) {
            List<String> legal = new ArrayList<>();
            for (State to : State.values()) {
                if (isLegal(from, to)) {
                    legal.add(to.name());
                }
            }
            table.append((from + " -> " + String.join(" ", legal)).strip()).append('\n');
        }
        assertEquals(MOVES, table.toString());
    }

    @Test
    void aDecidedEndIsNeverChanged() {
        for (State from : State.values()) {
            for (State to : State.values()) {
                if (from.isDecided() && isLegal(from, to)) {
                    assertEquals(from.isWhole(), to.isWhole());
                    assertEquals(from.isAborted(), to.isAborted());
                    assertFalse(from.isOver());
                }
            }
        }
    }
}

package io.penstock.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.request.BodyState.Phase;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class BodyStateTest {
    private final BodyState state = new BodyState();

    private static BodyState after(Phase... moves) {
        BodyState state = new BodyState();
        for (Phase move : moves) {
            state.move(move);
        }
        return state;
    }

    @Test
    void theResponseCannotBeResetAfterTheHeadIsSent() {
        for (BodyState sent : List.of(
                after(Phase.COMMITTED),
                after(Phase.FILLED, Phase.FILLED_COMMITTED),
                after(Phase.FILLED, Phase.FILLED_COMMITTED, Phase.SENT),
                after(Phase.COMMITTED, Phase.CLOSED),
                after(Phase.COMMITTED, Phase.ENDED),
                after(Phase.FAILED))) {
            assertTrue(sent.isOnTheWire(), sent.phase().name());
            assertThrows(IllegalStateException.class, () -> sent.move(Phase.OPEN));
            assertThrows(IllegalStateException.class, () -> sent.move(Phase.SUSPENDED));
            assertThrows(IllegalStateException.class, () -> sent.move(Phase.COMMITTED));
        }
    }

    @Test
    void aSuspendedResponseCanBeOpenedAgainForAnErrorPage() {
        state.move(Phase.SUSPENDED);
        assertTrue(state.isCommitted());
        assertFalse(state.isOnTheWire());
        state.move(Phase.OPEN);
        assertTrue(state.isOpen());
        assertFalse(state.isCommitted());
    }

    @Test
    void theResponseCanEndOnlyOnceAndCanFailAfterItsEnd() {
        BodyState ended = after(Phase.COMMITTED, Phase.ENDED);
        assertThrows(IllegalStateException.class, () -> ended.move(Phase.ENDED));
        assertTrue(ended.fail(new IOException("reset by peer")));
        assertTrue(ended.hasFailed());
        assertFalse(ended.fail(new IOException("again")));
    }

    @Test
    void bytesAreAcceptedOrIgnoredOrRefusedDependingOnThePhase() throws IOException {
        assertTrue(after().takesBytes());
        assertTrue(after(Phase.COMMITTED).takesBytes());
        assertFalse(after(Phase.SUSPENDED).takesBytes());
        assertFalse(after(Phase.FILLED).takesBytes());
        assertFalse(after(Phase.FILLED, Phase.FILLED_COMMITTED, Phase.SENT).takesBytes());
        for (BodyState refuses : List.of(
                after(Phase.COMMITTED, Phase.CLOSED), after(Phase.COMMITTED, Phase.ENDED), after(Phase.FAILED))) {
            assertThrows(RefusedWriteException.class, refuses::takesBytes);
        }
    }

    @Test
    void anAbortEndsTheResponseWithoutACommit() {
        IOException cause = new IOException("enough");
        state.abort(cause);
        assertTrue(state.isEnded());
        assertFalse(state.isOpen());
        assertFalse(state.isOnTheWire());
        assertFalse(state.fail(new IOException("pipe closed")));
        RefusedWriteException refused = assertThrows(RefusedWriteException.class, state::takesBytes);
        assertEquals(cause, refused.getCause());
    }

    @Test
    void aFilledBodyIsNoLongerClosedAfterACallOfDeferEnd() {
        state.fill();
        assertTrue(state.isClosed());
        state.deferEnd();
        assertFalse(state.isClosed());
        state.commit();
        assertEquals(Phase.FILLED_COMMITTED, state.phase());
    }
}

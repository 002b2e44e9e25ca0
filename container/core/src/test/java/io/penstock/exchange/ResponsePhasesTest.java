package io.penstock.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.ResponsePhase.Client;
import io.penstock.exchange.ResponsePhase.Written;
import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import org.junit.jupiter.api.Test;

class ResponsePhasesTest {

    /** Each phase with the phase below, the phase when the body is complete, and the phase when the application closes the body. */
    private static final String MOVES = """
            OPEN: HELD FULL OPEN
            SUSPENDED: HELD SUSPENDED SUSPENDED
            FULL: HELD_FULL FULL FULL
            HELD: STREAMING HELD_FULL HELD_CLOSED
            HELD_FULL: STREAMING_FULL HELD_FULL HELD_FULL
            HELD_CLOSED: STREAMING_CLOSED HELD_CLOSED HELD_CLOSED
            STREAMING: ENDING STREAMING_FULL STREAMING_CLOSED
            STREAMING_FULL: ENDING_FULL STREAMING_FULL STREAMING_FULL
            STREAMING_CLOSED: ENDING STREAMING_CLOSED STREAMING_CLOSED
            ENDING: ENDED ENDING ENDING
            ENDING_FULL: ENDED_FULL ENDING_FULL ENDING_FULL
            ENDED: - ENDED ENDED
            ENDED_FULL: - ENDED_FULL ENDED_FULL
            ABORTING: - ABORTING ABORTING
            ABORTED: - ABORTED ABORTED
            REPLACED: - REPLACED REPLACED
            """;

    /** Each phase with its properties. */
    private static final String PROPERTIES = """
            OPEN: accepting headless
            SUSPENDED: headless
            FULL: full headless
            HELD: accepting held
            HELD_FULL: full held
            HELD_CLOSED: held
            STREAMING: accepting streaming
            STREAMING_FULL: full streaming
            STREAMING_CLOSED: streaming
            ENDING: decided whole
            ENDING_FULL: decided whole
            ENDED: decided whole sent over
            ENDED_FULL: decided whole sent over
            ABORTING: decided aborted cut
            ABORTED: decided aborted cut over
            REPLACED: decided whole cut over
            """;

    private static String below(ResponsePhase phase) {
        try {
            return phase.down().name();
        } catch (IllegalStateException e) {
            assertEquals("A response that is " + phase + " cannot go on", e.getMessage());
            return "-";
        }
    }

    @Test
    void theMovesAreThoseOfTheTable() {
        StringBuilder table = new StringBuilder();
        for (ResponsePhase phase : ResponsePhase.values()) {
            table.append(phase + ": " + below(phase) + ' ' + phase.full() + ' ' + phase.closed() + '\n');
        }
        assertEquals(MOVES, table.toString());
    }

    @Test
    void thePropertiesAreThoseOfTheTable() {
        StringBuilder table = new StringBuilder();
        for (ResponsePhase phase : ResponsePhase.values()) {
            table.append(phase + ":"
                    + (phase.written == Written.ACCEPTED ? " accepting" : "")
                    + (phase.isFull() ? " full" : "")
                    + (phase.client == Client.NO_HEAD ? " headless" : "")
                    + (phase.client == Client.HEAD_HELD ? " held" : "")
                    + (phase.client == Client.HEAD_SENT ? " streaming" : "")
                    + (phase.isDecided() ? " decided" : "")
                    + (phase.whole ? " whole" : "")
                    + (phase.client == Client.END_SENT ? " sent" : "")
                    + (phase.client == Client.INCOMPLETE ? " aborted" : "")
                    + (phase.cut ? " cut" : "")
                    + (phase.isOver() ? " over" : "")
                    + '\n');
        }
        assertEquals(PROPERTIES, table.toString());
    }

    /** Whatever the application calls after its response has been aborted, or in whatever order: the response stays aborted. */
    @Test
    void nothingFollowsAnAbort() {
        FakeResponse response = new FakeResponse();
        response.full();
        response.abort(new IllegalStateException("failed"));
        response.head(new ResponseHead(200, Fields.EMPTY, -1));
        response.suspend();
        response.startOver();
        response.closed();
        response.refuseBytes();
        assertEquals(ResponsePhase.ABORTED, response.phase());
        assertFalse(response.hasHead());
        assertTrue(response.isEnded());
    }

    @Test
    void aHeadIsSetOnce() {
        FakeResponse response = new FakeResponse();
        ResponseHead head = new ResponseHead(200, Fields.EMPTY, -1);
        response.head(head);
        assertThrows(IllegalStateException.class, () -> response.head(head));
        assertEquals(ResponsePhase.HELD, response.phase());
        response.abort(new IllegalStateException("end of the test"));
    }
}

package io.penstock.request;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * The state of a response's body, which {@link ResponseBuffer} keeps. A table has all legal moves. An abort does not change the state: an
 * aborted response counts as committed only if it was committed before.
 *
 * <pre>
 *   OPEN ──head sent──▶ COMMITTED ──closed, end deferred──▶ CLOSED ──▶ ENDED
 *    │ ▲                    └──declared length written──┐
 *    │ ├──error page── SUSPENDED ◀──sendError── OPEN    ▼
 *    │ └──reset── FILLED ──head sent──▶ FILLED_COMMITTED ──end sent──▶ SENT ──▶ ENDED
 *    └──declared length written, sendRedirect──▶ FILLED
 *   FILLED ──sendError──▶ SUSPENDED ──head sent──▶ COMMITTED
 *   COMMITTED, FILLED_COMMITTED ──end sent──▶ ENDED;   any ──a hand-over fails──▶ FAILED
 * </pre>
 */
enum BodyPhase {
    /** No bytes have been handed over for sending. Written bytes are held in the buffer. */
    OPEN,
    /** The head has been handed over; more bytes are accepted. */
    COMMITTED,
    /** {@code sendError} was called. Bytes are ignored until the error page is written. */
    SUSPENDED,
    /**
     * The body is complete and held in the buffer. The body is sent at the end of the exchange, at a flush or at a close. Further bytes
     * are ignored.
     */
    FILLED,
    /** Like {@link #FILLED}, but the head has been handed over. */
    FILLED_COMMITTED,
    /** The application has closed the body. All bytes have been handed over. The end is sent when the exchange is completed. */
    CLOSED,
    /** A complete body and its end have been sent before the end of the exchange. Further bytes are ignored. */
    SENT,
    /** The end has been handed over. Further bytes are refused with an exception. */
    ENDED,
    /** A hand-over has failed. The end is not sent. */
    FAILED;

    private static final Map<BodyPhase, Set<BodyPhase>> MOVES = new EnumMap<>(Map.of(
            OPEN, EnumSet.of(OPEN, COMMITTED, SUSPENDED, FILLED, FAILED),
            COMMITTED, EnumSet.of(FILLED_COMMITTED, CLOSED, ENDED, FAILED),
            SUSPENDED, EnumSet.of(OPEN, COMMITTED, SUSPENDED, FAILED),
            FILLED, EnumSet.of(OPEN, SUSPENDED, FILLED_COMMITTED, FAILED),
            FILLED_COMMITTED, EnumSet.of(SENT, ENDED, FAILED),
            CLOSED, EnumSet.of(ENDED, FAILED),
            SENT, EnumSet.of(ENDED, FAILED),
            ENDED, EnumSet.of(FAILED),
            FAILED, EnumSet.noneOf(BodyPhase.class)));

    /**
     * Returns {@code next}, if the table has this move.
     *
     * @throws IllegalStateException if the move is not legal
     */
    BodyPhase to(BodyPhase next) {
        Set<BodyPhase> legal = MOVES.get(this);
        if (legal == null || !legal.contains(next)) {
            throw new IllegalStateException("Not possible now: " + next + " while " + this);
        }
        return next;
    }

    /** The state after the head has been handed over. */
    BodyPhase committed() {
        return to(this == FILLED ? FILLED_COMMITTED : COMMITTED);
    }

    /** The state after the body is complete. */
    BodyPhase filled() {
        return to(this == OPEN ? FILLED : FILLED_COMMITTED);
    }

    /** Whether written bytes are accepted. */
    boolean isOpen() {
        return this == OPEN || this == COMMITTED;
    }

    /** Whether the body is complete, and its end is not sent yet. */
    boolean isFilled() {
        return this == FILLED || this == FILLED_COMMITTED;
    }

    /** Whether the head has been handed over, so that no other head can be sent. */
    boolean isOnTheWire() {
        return this != OPEN && this != SUSPENDED && this != FILLED;
    }

    /** Whether no part of the response remains to be sent. */
    boolean isOver() {
        return this == SENT || this == ENDED || this == FAILED;
    }
}

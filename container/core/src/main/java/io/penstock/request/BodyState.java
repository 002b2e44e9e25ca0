package io.penstock.request;

import java.io.IOException;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of a response's body. A table has all legal transitions; any other transition throws {@link IllegalStateException}.
 *
 * <p>Thread: only the thread that holds the write lock of {@link ResponseBuffer} changes the phase. Any thread may read the state or abort
 * the response, without waiting.
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
final class BodyState {

    enum Phase {
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
        FAILED
    }

    /** The time at which the end is sent if the application closes the body. */
    private enum EndOfBody {
        AT_CLOSE,
        AT_COMPLETION
    }

    private static final Map<Phase, Set<Phase>> MOVES = new EnumMap<>(Map.of(
            Phase.OPEN, EnumSet.of(Phase.OPEN, Phase.COMMITTED, Phase.SUSPENDED, Phase.FILLED, Phase.FAILED),
            Phase.COMMITTED, EnumSet.of(Phase.FILLED_COMMITTED, Phase.CLOSED, Phase.ENDED, Phase.FAILED),
            Phase.SUSPENDED, EnumSet.of(Phase.OPEN, Phase.COMMITTED, Phase.SUSPENDED, Phase.FAILED),
            Phase.FILLED, EnumSet.of(Phase.OPEN, Phase.SUSPENDED, Phase.FILLED_COMMITTED, Phase.FAILED),
            Phase.FILLED_COMMITTED, EnumSet.of(Phase.SENT, Phase.ENDED, Phase.FAILED),
            Phase.CLOSED, EnumSet.of(Phase.ENDED, Phase.FAILED),
            Phase.SENT, EnumSet.of(Phase.ENDED, Phase.FAILED),
            Phase.ENDED, EnumSet.of(Phase.FAILED),
            Phase.FAILED, EnumSet.noneOf(Phase.class)));

    private static final Set<Phase> UNCOMMITTED = EnumSet.of(Phase.OPEN, Phase.SUSPENDED, Phase.FILLED);
    private static final Set<Phase> OVER = EnumSet.of(Phase.SENT, Phase.ENDED, Phase.FAILED);

    private volatile Phase phase = Phase.OPEN;
    private volatile EndOfBody endOfBody = EndOfBody.AT_CLOSE;
    private volatile @Nullable Exception failure;
    private volatile @Nullable Throwable aborted;

    // ---- transitions, under the write lock

    Phase phase() {
        return phase;
    }

    void move(Phase next) {
        Set<Phase> legal = MOVES.get(phase);
        if (legal == null || !legal.contains(next)) {
            throw new IllegalStateException("Not possible now: " + next + " while " + phase);
        }
        phase = next;
    }

    /** Called when the head is handed over. */
    void commit() {
        move(phase == Phase.FILLED ? Phase.FILLED_COMMITTED : Phase.COMMITTED);
    }

    /** Called when the body is complete. */
    void fill() {
        move(phase == Phase.OPEN ? Phase.FILLED : Phase.FILLED_COMMITTED);
    }

    /** Called when a hand-over has failed. Returns false and changes nothing if the response has already failed or been aborted. */
    boolean fail(Exception cause) {
        if (phase == Phase.FAILED || isAborted()) {
            return false;
        }
        move(Phase.FAILED);
        failure = cause;
        return true;
    }

    // ---- any thread

    /**
     * Aborts the response: no more bytes are sent. The phase does not change. So an aborted response counts as committed only if it was
     * committed before the abort.
     */
    void abort(Throwable cause) {
        aborted = cause;
    }

    /** From now on a close does not send the end. The end is sent when the exchange is completed. */
    void deferEnd() {
        endOfBody = EndOfBody.AT_COMPLETION;
    }

    boolean isEndDeferred() {
        return endOfBody == EndOfBody.AT_COMPLETION;
    }

    /**
     * Whether written bytes are accepted. If the result is false, the bytes are ignored.
     *
     * @throws RefusedWriteException if written bytes are refused
     */
    boolean takesBytes() throws IOException {
        Throwable cause = aborted;
        if (cause != null) {
            throw new RefusedWriteException("The response has been aborted", cause);
        }
        return switch (phase) {
            case OPEN, COMMITTED -> true;
            case SUSPENDED, FILLED, FILLED_COMMITTED, SENT -> false;
            case CLOSED -> throw new RefusedWriteException("The response's stream is closed", null);
            case ENDED -> throw new RefusedWriteException("The response has ended", null);
            case FAILED -> throw new RefusedWriteException("The response has already failed", failure);
        };
    }

    boolean isOpen() {
        return (phase == Phase.OPEN || phase == Phase.COMMITTED) && !isAborted();
    }

    boolean isFilled() {
        return phase == Phase.FILLED || phase == Phase.FILLED_COMMITTED;
    }

    /** The result of {@code isCommitted}: status and header fields cannot change any more. */
    boolean isCommitted() {
        return phase != Phase.OPEN;
    }

    /** Whether the head has been handed over, so that no other head can be sent. */
    boolean isOnTheWire() {
        return !UNCOMMITTED.contains(phase);
    }

    /** Whether the response has ended, so that no part of it remains to be sent. */
    boolean isEnded() {
        return OVER.contains(phase) || isAborted();
    }

    /** Whether the application can no longer write, and can no longer begin asynchronous processing. */
    boolean isClosed() {
        return isEnded() || (isFilled() && !isEndDeferred());
    }

    boolean isAborted() {
        return aborted != null;
    }

    /** Whether a hand-over failed because of the client or the connection, and not because of the application. */
    boolean hasFailed() {
        return failure instanceof IOException;
    }
}

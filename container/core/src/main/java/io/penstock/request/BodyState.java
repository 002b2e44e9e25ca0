package io.penstock.request;

import java.io.IOException;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of a response's body: one state, and one table of legal moves. Any other move throws {@link IllegalStateException}.
 *
 * <p>Thread: the holder of the write lock of {@link ResponseBuffer} changes the state; any thread may read it or abort, without waiting.
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
        /** No bytes have been handed over; written bytes are held. */
        OPEN,
        /** The head has been handed over; more bytes are accepted. */
        COMMITTED,
        /** {@code sendError} was called. Bytes are ignored until the error page is written. */
        SUSPENDED,
        /** The body is complete and held. It is sent at the end of the exchange, or at a flush or close. More bytes are ignored. */
        FILLED,
        /** As {@link #FILLED}, and the head has been handed over. */
        FILLED_COMMITTED,
        /** The application has closed the body. All bytes have been handed over. The end is sent at the completion. */
        CLOSED,
        /** A {@link #FILLED} body has been sent with its end, ahead of the end of the exchange. More bytes are ignored. */
        SENT,
        /** The end has been handed over. More bytes are refused. */
        ENDED,
        /** A hand-over failed. No end follows. */
        FAILED
    }

    /** When the end is sent after the application has closed the body. */
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

    // ---- moves, with the write lock

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

    /** The head is being handed over. */
    void commit() {
        move(phase == Phase.FILLED ? Phase.FILLED_COMMITTED : Phase.COMMITTED);
    }

    /** The body is complete. */
    void fill() {
        move(phase == Phase.OPEN ? Phase.FILLED : Phase.FILLED_COMMITTED);
    }

    /** A hand-over has failed. Returns false if nothing changes: the response had failed before, or has been aborted. */
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
     * Aborts: nothing more is sent. The phase does not change, so an aborted response counts as committed only if its head had been sent.
     */
    void abort(Throwable cause) {
        aborted = cause;
    }

    /** From here on, a close does not send the end. The end is sent at the completion. */
    void deferEnd() {
        endOfBody = EndOfBody.AT_COMPLETION;
    }

    boolean isEndDeferred() {
        return endOfBody == EndOfBody.AT_COMPLETION;
    }

    /**
     * Whether written bytes are accepted; false if they are ignored.
     *
     * @throws RefusedWriteException if they are refused
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
            case FAILED -> throw new RefusedWriteException("The response has failed before", failure);
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

    /** Whether a head has been handed over, so that no other can follow. */
    boolean isOnTheWire() {
        return !UNCOMMITTED.contains(phase);
    }

    /** Whether nothing of the response remains to be sent. */
    boolean isEnded() {
        return OVER.contains(phase) || isAborted();
    }

    /** Whether the application can neither write nor defer the end by asynchronous processing. */
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

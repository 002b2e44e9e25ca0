package io.penstock.http1;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Whose answer goes out on a connection: one at a time, in the order of the requests; at most one more waits.
 *
 * <pre>
 *   IDLE --begin--> RUNNING --begin--> (one parked) --next--> RUNNING --next--> IDLE
 *     any --close--> CLOSED
 * </pre>
 *
 * <p>Thread: {@link #begin}, {@link #close} the reactor; {@link #next} whoever finished the running answer.
 */
final class Turn {

    /** Something that answers one request. */
    interface Answer {

        /** The connection ended before the answer began. */
        void discard();
    }

    private enum Mark implements Answer {
        IDLE,
        RUNNING,
        CLOSED;

        @Override
        public void discard() {
            throw new IllegalStateException(this + " is no answer");
        }
    }

    /** What {@link #begin} led to. */
    enum Begun {
        /** The caller has the turn: the answer runs now. */
        RUNS,
        /** Another answer runs; whoever finishes it takes this one. */
        PARKED,
        /** The connection has ended. */
        REFUSED
    }

    // No object of its own: there are as many as connections.
    private static final AtomicReferenceFieldUpdater<Turn, Answer> STATE =
            AtomicReferenceFieldUpdater.newUpdater(Turn.class, Answer.class, "state");

    private volatile Answer state = Mark.IDLE;

    Begun begin(Answer answer) {
        while (true) {
            Answer now = state;
            if (now == Mark.CLOSED) {
                return Begun.REFUSED;
            }
            if (now != Mark.IDLE && now != Mark.RUNNING) {
                throw new IllegalStateException("an answer is parked already");
            }
            Answer next = now == Mark.IDLE ? Mark.RUNNING : answer;
            if (STATE.compareAndSet(this, now, next)) {
                return now == Mark.IDLE ? Begun.RUNS : Begun.PARKED;
            }
        }
    }

    /** The running answer is complete: the next one, which has the turn now; null if none waits. */
    @Nullable
    Answer next() {
        while (true) {
            Answer now = state;
            if (now == Mark.CLOSED) {
                return null;
            }
            if (now == Mark.IDLE) {
                throw new IllegalStateException("no answer was running");
            }
            Answer next = now == Mark.RUNNING ? Mark.IDLE : Mark.RUNNING;
            if (STATE.compareAndSet(this, now, next)) {
                return now == Mark.RUNNING ? null : now;
            }
        }
    }

    boolean isIdle() {
        return state == Mark.IDLE;
    }

    boolean isParked() {
        return !(state instanceof Mark);
    }

    void close() {
        Answer before = STATE.getAndSet(this, Mark.CLOSED);
        if (!(before instanceof Mark)) {
            before.discard();
        }
    }
}

package io.penstock.reactor;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * The right to write to the {@link Link} of a connection. Only one thread at a time has this right. The class that writes the responses of
 * a connection extends this class. So a connection needs no extra object for the token.
 *
 * <pre>
 *   FREE --tryWorker--> WORKER --release--> FREE
 *     |                    +-----stalled--> AWAITING_WRITABLE --tryReactor--> REACTOR
 *     +--tryReactor--> REACTOR --release--> FREE
 *                         +------stalled--> AWAITING_WRITABLE
 *                           AWAITING_WRITABLE --tryInPlaceOfReactor--> WORKER
 *   WORKER, REACTOR --end--> ENDED
 * </pre>
 *
 * A thread that adds bytes to the response pipe or to the link tries to take the token <em>afterwards</em>. A thread that releases the
 * token checks the pipe and the link <em>afterwards</em>. So no bytes stay unsent, whichever thread acts first. The token becomes free only
 * when the link has <em>sent</em> all bytes that it took. If a part of an encrypted record is unsent, the state is {@link
 * State#AWAITING_WRITABLE}.
 */
public class WriteToken {

    /** The states of the token: free, held by a worker, held by the reactor, or reserved for the thread that continues to write. */
    public enum State {
        FREE,
        WORKER,
        REACTOR,
        /**
         * The holder stopped before all bytes were sent. The socket was full, a file had used its share of the reactor's time, or the write
         * failed. The reactor continues, or a worker continues instead of the reactor. No other thread needs to write.
         */
        AWAITING_WRITABLE,
        /** The holder has ended the output of the connection, or the connection has another token now. Nobody writes with this one. */
        ENDED
    }

    // With a field updater, a connection needs no atomic object.
    private static final AtomicReferenceFieldUpdater<WriteToken, State> STATE =
            AtomicReferenceFieldUpdater.newUpdater(WriteToken.class, State.class, "state");

    private volatile State state = State.FREE;

    /** Takes the token for a worker; returns whether it was free. */
    protected final boolean tryWorker() {
        return state == State.FREE && STATE.compareAndSet(this, State.FREE, State.WORKER);
    }

    /**
     * Takes the token for the reactor if the token is free or its state is {@link State#AWAITING_WRITABLE}. Returns whether the reactor now
     * holds the token.
     */
    protected final boolean tryReactor() {
        return STATE.compareAndSet(this, State.FREE, State.REACTOR)
                || STATE.compareAndSet(this, State.AWAITING_WRITABLE, State.REACTOR);
    }

    /**
     * Takes the token for a worker that continues instead of the reactor. The state must be {@link State#AWAITING_WRITABLE}. Returns
     * whether the worker now holds the token.
     */
    protected final boolean tryInPlaceOfReactor() {
        return STATE.compareAndSet(this, State.AWAITING_WRITABLE, State.WORKER);
    }

    /** Releases the token, because its holder has written all bytes. */
    protected final void release() {
        move(State.FREE);
    }

    /** Gives up the token, because its holder could not write all bytes. */
    protected final void stalled() {
        move(State.AWAITING_WRITABLE);
    }

    /** Gives up the token for ever, because nobody is to write with it any more. */
    protected final void end() {
        move(State.ENDED);
    }

    /** Whether the holder has given up the token for ever ({@link #end}). Any thread. */
    public final boolean hasOutputEnded() {
        return state == State.ENDED;
    }

    final State state() {
        return state;
    }

    private void move(State next) {
        State before = STATE.getAndSet(this, next);
        if (before != State.WORKER && before != State.REACTOR) {
            throw new IllegalStateException("the write token was " + before + ", not held, when it became " + next);
        }
    }
}

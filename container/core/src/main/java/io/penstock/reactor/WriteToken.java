package io.penstock.reactor;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * Who may write to a connection's link: one at a time.
 *
 * <pre>
 *   FREE --tryWorker--> WORKER --release--> FREE
 *     |                    +-----stalled--> AWAITING_WRITABLE --tryReactor--> REACTOR
 *     +--tryReactor--> REACTOR --release--> FREE
 *                         +------stalled--> AWAITING_WRITABLE
 * </pre>
 *
 * A thread that puts bytes into the pipe, or into the link, tries the token <em>afterwards</em>. A thread that releases the token looks at
 * the pipe and at the link <em>afterwards</em>. So no bytes stay behind, whichever comes first. The token is released when the link has
 * <em>sent</em> all bytes that it has taken: an encrypted record that the socket took in part keeps it.
 */
public final class WriteToken {

    /** Where the token is. */
    public enum State {
        FREE,
        WORKER,
        REACTOR,
        /** The link takes or sends no more: the reactor has, or is about to have, the write interest, and nobody else need try. */
        AWAITING_WRITABLE
    }

    // No object of its own: there are as many tokens as connections.
    private static final AtomicReferenceFieldUpdater<WriteToken, State> STATE =
            AtomicReferenceFieldUpdater.newUpdater(WriteToken.class, State.class, "state");

    private volatile State state = State.FREE;

    /** For a thread that is no reactor. */
    public boolean tryWorker() {
        return state == State.FREE && STATE.compareAndSet(this, State.FREE, State.WORKER);
    }

    /** For the reactor: also takes a token that waits for the link to become writable. */
    public boolean tryReactor() {
        return STATE.compareAndSet(this, State.FREE, State.REACTOR)
                || STATE.compareAndSet(this, State.AWAITING_WRITABLE, State.REACTOR);
    }

    /** The holder has written everything. */
    public void release() {
        move(State.FREE);
    }

    /** The holder could not write everything. */
    public void stalled() {
        move(State.AWAITING_WRITABLE);
    }

    public State state() {
        return state;
    }

    private void move(State next) {
        State before = STATE.getAndSet(this, next);
        if (before != State.WORKER && before != State.REACTOR) {
            throw new IllegalStateException("the write token was " + before + ", not held, when it became " + next);
        }
    }
}

package io.penstock.reactor;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * The right to write to a connection's link. Only one thread at a time has this right. The writing half of a connection extends this class,
 * so an idle connection needs one object less.
 *
 * <pre>
 *   FREE --tryWorker--> WORKER --release--> FREE
 *     |                    +-----stalled--> AWAITING_WRITABLE --tryReactor--> REACTOR
 *     +--tryReactor--> REACTOR --release--> FREE
 *                         +------stalled--> AWAITING_WRITABLE
 *                           AWAITING_WRITABLE --tryInPlaceOfReactor--> WORKER
 * </pre>
 *
 * A thread that puts bytes into the pipe, or into the link, tries the token <em>afterwards</em>. A thread that releases the token looks at
 * the pipe and at the link <em>afterwards</em>. So no bytes stay unsent, in whatever order the two threads act. The token becomes free only
 * when the link has <em>sent</em> all that it took. While part of an encrypted record is unsent, the token waits for the reactor.
 */
public class WriteToken {

    /** The states of the token, by its holder. */
    public enum State {
        FREE,
        WORKER,
        REACTOR,
        /**
         * The holder stopped before everything was sent: the link takes or sends no more, a file has had its share, or the write failed.
         * The reactor continues, or a worker in its place. No other thread needs to try.
         */
        AWAITING_WRITABLE
    }

    // A field updater needs no atomic object for each connection.
    private static final AtomicReferenceFieldUpdater<WriteToken, State> STATE =
            AtomicReferenceFieldUpdater.newUpdater(WriteToken.class, State.class, "state");

    private volatile State state = State.FREE;

    /** Takes the token for a worker; returns whether it was free. */
    protected final boolean tryWorker() {
        return state == State.FREE && STATE.compareAndSet(this, State.FREE, State.WORKER);
    }

    /** Takes the token for the reactor, even if it waits for the link to become writable; returns whether it succeeded. */
    protected final boolean tryReactor() {
        return STATE.compareAndSet(this, State.FREE, State.REACTOR)
                || STATE.compareAndSet(this, State.AWAITING_WRITABLE, State.REACTOR);
    }

    /** Takes the token that waits for the reactor, for a worker that continues in its place; returns whether it succeeded. */
    protected final boolean tryInPlaceOfReactor() {
        return STATE.compareAndSet(this, State.AWAITING_WRITABLE, State.WORKER);
    }

    /** The holder has written everything. */
    protected final void release() {
        move(State.FREE);
    }

    /** The holder could not write everything. */
    protected final void stalled() {
        move(State.AWAITING_WRITABLE);
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

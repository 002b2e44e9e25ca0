package io.penstock.exchange;

import io.penstock.pipe.ResponsePipe;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * An action that runs once, if a connection ends before its running exchange is over.
 *
 * <p>Thread: any. The thread that removes the action runs it, so it runs only once. The thread that sets the action then checks whether the
 * connection has ended, so the action is not missed.
 */
public final class DisconnectAction {
    private static final AtomicReferenceFieldUpdater<DisconnectAction, @Nullable Runnable> ACTION =
            AtomicReferenceFieldUpdater.newUpdater(DisconnectAction.class, Runnable.class, "action");

    private final ResponsePipe pipe; // the pipe fails when the connection ends
    private volatile @Nullable Runnable action;

    public DisconnectAction(ResponsePipe pipe) {
        this.pipe = pipe;
    }

    /** Runs {@code given} if the connection ends before {@link #exchangeOver}; at once if it has already ended. */
    public void set(Runnable given) {
        action = given;
        if (pipe.hasFailed()) {
            run();
        }
    }

    /** The connection has ended. */
    public void run() {
        Runnable taken = ACTION.getAndSet(this, null);
        if (taken != null) {
            taken.run();
        }
    }

    /** The exchange is over. */
    public void exchangeOver() {
        if (action != null && !pipe.hasFailed()) { // if the pipe has failed, the reactor is about to run the action
            action = null;
        }
    }
}

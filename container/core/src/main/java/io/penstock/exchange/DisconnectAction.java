package io.penstock.exchange;

import io.penstock.pipe.ResponsePipe;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * An action that runs if a connection ends before the current exchange of the connection is over. The action runs at most once.
 *
 * <p>Thread: any. Only the thread that removes the action from this object runs the action, so the action runs only once. The thread that
 * sets the action checks afterwards whether the connection has ended. So the action is not missed.
 */
public final class DisconnectAction {
    private static final AtomicReferenceFieldUpdater<DisconnectAction, @Nullable Runnable> ACTION =
            AtomicReferenceFieldUpdater.newUpdater(DisconnectAction.class, Runnable.class, "action");

    // The pipe for the responses of the connection. When the connection ends, the pipe fails.
    private final ResponsePipe pipe;
    private volatile @Nullable Runnable action;

    public DisconnectAction(ResponsePipe pipe) {
        this.pipe = pipe;
    }

    /**
     * Runs {@code given} if the connection ends before {@link #exchangeOver} is called. If the connection has already ended, runs {@code
     * given} at once.
     */
    public void set(Runnable given) {
        action = given;
        if (pipe.hasFailed()) {
            run();
        }
    }

    /** Runs the action, because the connection has ended. */
    public void run() {
        Runnable taken = ACTION.getAndSet(this, null);
        if (taken != null) {
            taken.run();
        }
    }

    /** Removes the action, because the exchange is over. */
    public void exchangeOver() {
        // If the pipe has failed, the reactor will run the action.
        if (action != null && !pipe.hasFailed()) {
            action = null;
        }
    }
}

package io.penstock.exchange;

import io.penstock.pipe.ResponsePipe;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * An action that runs if a stream ends before the current exchange of the stream is over. The action runs at most once. In HTTP/1.1 the
 * stream is the connection.
 *
 * <p>Thread: any. Only the thread that removes the action from this object runs the action, so the action runs only once. The thread that
 * sets the action checks afterwards whether the stream has ended. So the action is not missed.
 */
public final class DisconnectAction {
    private static final AtomicReferenceFieldUpdater<DisconnectAction, @Nullable Runnable> ACTION =
            AtomicReferenceFieldUpdater.newUpdater(DisconnectAction.class, Runnable.class, "action");

    // The pipe for the responses of the stream. It fails when the stream ends, before {@link #run} is called.
    private final ResponsePipe pipe;
    private volatile @Nullable Runnable action;

    public DisconnectAction(ResponsePipe pipe) {
        this.pipe = pipe;
    }

    /**
     * Runs {@code given} if the stream ends before {@link #exchangeOver} is called. If the stream has already ended, runs {@code given} at
     * once.
     */
    public void set(Runnable given) {
        action = given;
        if (pipe.hasFailed()) {
            run();
        }
    }

    /** Runs the action, because the stream has ended. */
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

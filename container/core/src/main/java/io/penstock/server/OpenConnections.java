package io.penstock.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts open connections up to a limit.
 *
 * <p>Thread: any; only {@link #awaitNone} waits.
 */
public final class OpenConnections {
    private final int most;

    @GuardedBy("this")
    private int open;

    @GuardedBy("this")
    private @Nullable Runnable whenRoom;

    OpenConnections(int most) {
        this.most = most;
    }

    public synchronized int count() {
        return open;
    }

    /** Counts one more connection, unless the limit is reached. Returns whether it was counted. */
    synchronized boolean tryEnter() {
        if (open >= most) {
            return false;
        }
        open++;
        return true;
    }

    /** Whether the count is below the limit. If not, {@code again} runs once as soon as there is room. */
    synchronized boolean hasRoom(Runnable again) {
        if (open < most) {
            return true;
        }
        whenRoom = again;
        return false;
    }

    void leave() {
        Runnable action;
        synchronized (this) {
            open--;
            action = whenRoom;
            whenRoom = null;
            if (open == 0) {
                notifyAll(); // the stop of the server: no connection is open
            }
        }
        if (action != null) {
            action.run();
        }
    }

    /** Waits until no connection is open, at most until {@code deadline} by {@link System#nanoTime}; returns whether none is. */
    boolean awaitNone(long deadline) throws InterruptedException {
        return awaitNone(deadline, () -> false);
    }

    /**
     * As {@link #awaitNone(long)}, and at most until {@code over} is true.
     *
     * @param over ends the wait when it is true; a call of {@link #lookAgain} must follow each change of it
     */
    synchronized boolean awaitNone(long deadline, BooleanSupplier over) throws InterruptedException {
        for (long left = deadline - System.nanoTime();
                left > 0 && open > 0 && !over.getAsBoolean();
                left = deadline - System.nanoTime()) {
            // Until a reactor closes the last connection, or lookAgain is called.
            wait(Math.max(1, left / 1_000_000));
        }
        return open == 0;
    }

    /** Makes the waiting threads check whether to continue waiting. */
    synchronized void lookAgain() {
        notifyAll(); // threads in awaitNone: their waiting may be over
    }
}

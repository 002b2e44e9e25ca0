package io.penstock.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts open connections up to a limit.
 *
 * <p>Thread: any. Only {@link #awaitNone} waits.
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

    /** Counts one more connection if the count is below the limit. Returns whether the connection was counted. */
    synchronized boolean tryEnter() {
        if (open >= most) {
            return false;
        }
        open++;
        return true;
    }

    /**
     * Whether the count is below the limit. If the count has reached the limit, {@code again} runs once after the next connection has
     * closed.
     */
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
                // No connection is open. Wakes the threads in awaitNone(), for example the thread that stops the
                // server.
                notifyAll();
            }
        }
        if (action != null) {
            action.run();
        }
    }

    /**
     * Waits until no connection is open, at most until {@code deadline}, a time of {@link System#nanoTime}. Returns whether no connection
     * is open.
     */
    boolean awaitNone(long deadline) throws InterruptedException {
        return awaitNone(deadline, () -> false);
    }

    /**
     * Like {@link #awaitNone(long)}, but the wait also ends when {@code over} is true.
     *
     * @param over the condition that ends the wait. After each change of this condition, {@link #recheck} must be called
     */
    synchronized boolean awaitNone(long deadline, BooleanSupplier over) throws InterruptedException {
        for (long left = deadline - System.nanoTime();
                left > 0 && open > 0 && !over.getAsBoolean();
                left = deadline - System.nanoTime()) {
            // The wait ends when a reactor closes the last connection, or when recheck() is called.
            wait(Math.max(1, left / 1_000_000));
        }
        return open == 0;
    }

    /** Makes the threads in {@link #awaitNone} check the condition {@code over} again. */
    synchronized void recheck() {
        // Wakes the threads in awaitNone(), because their condition may have become true.
        notifyAll();
    }
}

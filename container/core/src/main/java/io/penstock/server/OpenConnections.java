package io.penstock.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import org.jspecify.annotations.Nullable;

/**
 * How many connections are open, against how many may be.
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

    /** Counts one more, unless as many are open as may be. */
    synchronized boolean tryEnter() {
        if (open >= most) {
            return false;
        }
        open++;
        return true;
    }

    /** Whether one more may be opened; if not, {@code again} is run once when it may be. */
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
                notifyAll(); // the server's end: there is none left
            }
        }
        if (action != null) {
            action.run();
        }
    }

    /** Waits until none is open, at most until {@code deadline} by {@link System#nanoTime}; returns whether none is. */
    synchronized boolean awaitNone(long deadline) throws InterruptedException {
        for (long left = deadline - System.nanoTime(); left > 0 && open > 0; left = deadline - System.nanoTime()) {
            wait(Math.max(1, left / 1_000_000)); // for the reactors: the last connection has closed
        }
        return open == 0;
    }
}

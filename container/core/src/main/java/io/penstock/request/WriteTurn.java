package io.penstock.request;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * Whose turn it is to write a response. A thread that writes has the turn, even while it waits for the client. Other threads of the
 * application wait for the turn before they write. The container never waits: it tries to {@link #take} the turn. If another thread has the
 * turn, the container continues in a job of the exchange when that thread has ended its turn.
 *
 * <p>A thread that has the turn may begin it again: during a hand-over, listeners and suppliers of the application may run, and they may
 * write.
 *
 * <p>Thread: any. No thread holds the monitor while it waits for a client.
 */
final class WriteTurn {
    private static final AtomicReferenceFieldUpdater<WriteTurn, @Nullable Thread> WRITER =
            AtomicReferenceFieldUpdater.newUpdater(WriteTurn.class, Thread.class, "writer");
    private static final AtomicReferenceFieldUpdater<WriteTurn, @Nullable Runnable> THEN =
            AtomicReferenceFieldUpdater.newUpdater(WriteTurn.class, Runnable.class, "then");

    /** The threads that may begin to write. */
    private enum Writers {
        ALL,
        /**
         * The container continues the response. Only the container's current thread may write: this thread can call listeners of the
         * application, and the listeners can write.
         */
        CONTAINER
    }

    /** The thread that has the turn; null if the turn is free. */
    private volatile @Nullable Thread writer;

    /** How often the thread that has the turn has begun it again. Used by this thread only. */
    private int nested;

    /** How many threads wait for the turn. Changed under the monitor. */
    private volatile int waiting;

    private volatile Writers writers = Writers.ALL;
    private volatile @Nullable Thread container;

    /** What the container does when the turn has ended. */
    private volatile @Nullable Runnable then;

    // ---- the application's threads

    /** Waits for the turn. */
    void begin() {
        if (!tryBegin()) {
            await();
        }
    }

    /** @throws RefusedWriteException if only the container may write now, and this thread, which has the turn, does not belong to it */
    void check() throws IOException {
        if (writers == Writers.CONTAINER && Thread.currentThread() != container) {
            throw new RefusedWriteException(
                    "The container continues with the response: complete() or dispatch() has been called", null);
        }
    }

    /** Begins a turn if no other thread has it. */
    boolean tryBegin() {
        Thread current = Thread.currentThread();
        if (writer == current) {
            nested++;
            return true;
        }
        return WRITER.compareAndSet(this, null, current);
    }

    private synchronized void await() {
        boolean interrupted = false;
        waiting = waiting + 1;
        // The thread that ends its turn reads the count afterwards. So no turn ends between this check and the wait.
        while (!tryBegin()) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        waiting = waiting - 1;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Ends the turn. If the turn is free now, removes and returns the action of {@link #take(Runnable)}: the caller runs it. Returns null if
     * there is none.
     */
    @Nullable
    Runnable end() {
        if (nested > 0) {
            nested--;
            return null;
        }
        writer = null;
        if (waiting > 0) {
            wake();
        }
        // The plain read avoids an atomic write: a servlet that writes byte by byte calls this method for each byte.
        return then == null ? null : THEN.getAndSet(this, null);
    }

    private synchronized void wake() {
        notifyAll();
    }

    // ---- the container

    /** Takes the turn for the container, if no other thread has it. */
    boolean take() {
        if (!tryBegin()) {
            return false;
        }
        container = Thread.currentThread();
        return true;
    }

    /** The result of {@link #take(Runnable)}. */
    enum Taken {
        NOW,
        /** Another thread has the turn. It gets the action when it ends its turn. */
        LATER,
        /** Another thread has ended its turn and has taken the action. So the caller, who has the turn, must end it at once. */
        BY_ACTION
    }

    /**
     * As {@link #take()}. If another thread has the turn, {@code whenFree} is the action of the container, and no other thread may begin a
     * turn until {@link #admitWriters}. Without this rule, a thread that writes without a pause could begin its next turn before the
     * container does.
     */
    Taken take(Runnable whenFree) {
        if (take()) {
            return Taken.NOW;
        }
        writers = Writers.CONTAINER;
        then = whenFree;
        if (!take()) {
            return Taken.LATER;
        }
        return THEN.compareAndSet(this, whenFree, null) ? Taken.NOW : Taken.BY_ACTION;
    }

    /** Whether all threads may write, and none does. */
    boolean isFree() {
        return writers == Writers.ALL && writer == null;
    }

    /** All threads of the application may write again. */
    void admitWriters() {
        writers = Writers.ALL;
    }
}

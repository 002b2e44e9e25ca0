package io.penstock.exchange;

import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.Reactor;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The incomplete request bodies of one reactor, ordered by the memory that each body uses. This object also has the list of the connections
 * that wait for memory. When the server's memory budget is used up, the largest incomplete body is written to disk. Otherwise all
 * incomplete bodies could wait for memory for ever.
 *
 * <p>There is one list of bodies for each range of sizes. So adding a body, removing a body and finding the largest body take constant
 * time.
 *
 * <p>Thread: the reactor. {@link #waitingForMemory} and {@link #freed}: any.
 */
public final class UnfinishedBodies {
    /**
     * The number of lists: two lists for each power of two. Within one list, the largest body is at most 1.5 times as large as the
     * smallest.
     */
    private static final int SIZES = 2 * Integer.SIZE;

    /** A body that can be written to disk. */
    public abstract static class Entry {
        private @Nullable Entry before;
        private @Nullable Entry behind;
        private int listed = -1;

        /**
         * The number of bytes of memory that {@link #spill} would free. The number is 0 if the body uses no memory, or if it is being
         * written to disk.
         */
        protected abstract int spillable();

        /** Writes the body to disk, so that other bodies have memory. */
        protected abstract void spill();
    }

    /** Asks the other reactors to write their largest bodies to disk. */
    @FunctionalInterface
    public interface OtherReactors {
        void spill(UnfinishedBodies asking);
    }

    private final Reactor reactor;
    private final SegmentPool pool;
    private final OtherReactors otherReactors;
    private final @Nullable Entry[] lists = new @Nullable Entry[SIZES];
    private final ArrayDeque<Runnable> waitingForMemory = new ArrayDeque<>();
    private final BodyPermits permits;
    private boolean awaiting;

    // The number of connections that wait for memory. Written by the reactor, and read by other threads for metrics.
    private volatile int waitingNow;

    public UnfinishedBodies(Reactor reactor, SegmentPool pool, OtherReactors otherReactors) {
        this.reactor = reactor;
        this.pool = pool;
        this.otherReactors = otherReactors;
        this.permits = new BodyPermits(reactor);
    }

    /** The permits for large bodies that arrive fast. */
    public BodyPermits permits() {
        return permits;
    }

    /** Must be called when the memory that the body uses has changed. */
    public void changed(Entry entry) {
        int bytes = entry.spillable();
        int list = bytes == 0 ? -1 : size(bytes);
        if (list != entry.listed) {
            remove(entry);
            if (list >= 0) {
                add(entry, list);
            }
        }
    }

    private static int size(int bytes) {
        int power = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(bytes);
        int upperHalf = bytes >> Math.max(0, power - 1) & 1;
        return 2 * power + upperHalf;
    }

    /** Removes a body from the lists, because the body is complete or will never be complete. */
    public void remove(Entry entry) {
        if (entry.listed < 0) {
            return;
        }
        Entry before = entry.before;
        Entry behind = entry.behind;
        if (before == null) {
            lists[entry.listed] = behind;
        } else {
            before.behind = behind;
        }
        if (behind != null) {
            behind.before = before;
        }
        entry.before = null;
        entry.behind = null;
        entry.listed = -1;
    }

    private void add(Entry entry, int list) {
        Entry first = lists[list];
        entry.behind = first;
        if (first != null) {
            first.before = entry;
        }
        lists[list] = entry;
        entry.listed = list;
    }

    /** Whether a connection should not read now: there is no free memory, or other connections already wait for memory. */
    public boolean isShort() {
        return !waitingForMemory.isEmpty() || isUsedUp();
    }

    /**
     * Whether there is no free memory for bytes that are read now. Waiting connections do not count. A connection uses this method after
     * its call, since the called connection has precedence over waiting connections.
     */
    public boolean isUsedUp() {
        return !pool.hasRoom();
    }

    /** The number of connections that wait for memory. Any thread. */
    public int waitingForMemory() {
        return waitingNow;
    }

    /**
     * Adds the connection to the waiting connections, which are called when memory is free. If memory is used up, also begins to write a
     * body to disk.
     */
    void awaitMemory(Runnable whenFree) {
        waitingForMemory.addLast(whenFree);
        waitingNow = waitingForMemory.size();
        awaitRoom();
    }

    /** Registers {@link #feed} with the pool. The reactor runs {@code feed} when the pool has room. At most one registration is pending. */
    private void awaitRoom() {
        if (!awaiting) {
            awaiting = true;
            pool.whenRoom(() -> reactor.execute(this::feed));
        }
        // This check must come after the registration. If memory was freed before the check, the pool has already
        // scheduled feed().
        if (isUsedUp()) {
            freeMemory();
        }
    }

    /**
     * Calls the waiting connections in order, at most one connection for each free segment of the pool. A connection without a free segment
     * would have to wait again, and would lose its position.
     */
    private void feed() {
        awaiting = false;
        for (int left = Math.min(waitingForMemory.size(), pool.room()); left > 0; left--) {
            waitingForMemory.removeFirst().run();
        }
        waitingNow = waitingForMemory.size();
        if (!waitingForMemory.isEmpty()) {
            awaitRoom();
        }
    }

    /**
     * Called when a body has been written to disk and its memory is free. This memory may be too little for the waiting connections: bytes
     * that were read meanwhile may have used the reserve of the pool ({@link SegmentPool}). Freed memory first fills this reserve again. If
     * the pool still has no room, the next body is written to disk. Without this write, no waiting connection would be called. Any thread.
     */
    public void freed() {
        if (pool.isAwaited()) {
            reactor.execute(() -> {
                if (pool.isAwaited()) {
                    freeMemory();
                }
            });
        }
    }

    private void freeMemory() {
        if (!spillLargest()) {
            otherReactors.spill(this);
        }
    }

    /** Begins to write the largest body to disk. Returns false if no body can be written. */
    public boolean spillLargest() {
        for (int list = SIZES - 1; list >= 0; list--) {
            Entry entry = lists[list];
            if (entry != null) {
                entry.spill();
                return true;
            }
        }
        return false;
    }
}

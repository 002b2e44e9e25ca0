package io.penstock.exchange;

import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.Reactor;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The incomplete request bodies of one reactor, ordered by the memory that each uses, and the connections that wait for memory. When the
 * server's budget is used up, the largest body goes to disk. Otherwise all incomplete bodies could wait for memory for ever.
 *
 * <p>Thread: the reactor, except {@link #waitingForMemory} and {@link #freed}. There is a list for each range of sizes, so a body is added,
 * removed, and found as the largest in constant time.
 */
public final class UnfinishedBodies {
    /** The number of lists: two for each power of two. In one list, no body is 1.5 times as large as another. */
    private static final int SIZES = 2 * Integer.SIZE;

    /** A body that can go to disk. */
    public abstract static class Entry {
        private @Nullable Entry before;
        private @Nullable Entry behind;
        private int listed = -1;

        /** Memory that {@link #spill} would free; 0 if there is none, or if the body is being written. */
        protected abstract int spillable();

        /** Writes the body to disk, so that other bodies have memory. */
        protected abstract void spill();
    }

    /** A connection that does not read until memory is free. */
    public interface MemoryWaiter {

        /** Memory is free again. No effect if the connection has ended meanwhile. */
        void memoryFree();
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
    private final ArrayDeque<MemoryWaiter> waitingForMemory = new ArrayDeque<>();
    private final BodyTurns turns;
    private boolean awaiting;

    // The number of connections that wait for memory, for the gauges. Written by the reactor.
    private volatile int waitingNow;

    public UnfinishedBodies(Reactor reactor, SegmentPool pool, OtherReactors otherReactors) {
        this.reactor = reactor;
        this.pool = pool;
        this.otherReactors = otherReactors;
        this.turns = new BodyTurns(reactor);
    }

    /** The turns of bodies that arrive fast. */
    public BodyTurns turns() {
        return turns;
    }

    /** The memory that the body uses has changed. */
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

    /** The body is complete, or will never be complete. */
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

    /** Whether bytes that are read now may find no memory, or may use the memory for which connections already wait. */
    public boolean isShort() {
        return !waitingForMemory.isEmpty() || isUsedUp();
    }

    /**
     * Whether bytes that are read now may find no memory. Used for a connection that has been called, since this connection takes
     * precedence over waiting connections.
     */
    public boolean isUsedUp() {
        return !pool.hasRoom();
    }

    /** The number of connections that wait for memory. Any thread. */
    public int waitingForMemory() {
        return waitingNow;
    }

    /** Calls the connection when memory is free. Also begins to write a body to disk, to free memory. */
    public void awaitMemory(MemoryWaiter connection) {
        waitingForMemory.addLast(connection);
        waitingNow = waitingForMemory.size();
        awaitRoom();
    }

    /** Registers with the pool for a call when it has room. At most one such registration is pending. */
    private void awaitRoom() {
        if (!awaiting) {
            awaiting = true;
            pool.whenRoom(() -> reactor.execute(this::feed));
        }
        // Check after the registration: if memory was freed meanwhile, the pool has already scheduled feed().
        if (isUsedUp()) {
            relieve();
        }
    }

    /** Calls as many waiting connections as the pool has segments, in order. More calls would be wasted, and would break the order. */
    private void feed() {
        awaiting = false;
        for (int left = Math.min(waitingForMemory.size(), pool.room()); left > 0; left--) {
            waitingForMemory.removeFirst().memoryFree();
        }
        waitingNow = waitingForMemory.size();
        if (!waitingForMemory.isEmpty()) {
            awaitRoom();
        }
    }

    /**
     * A body has been written to disk, and its memory is free. This may not suffice: bytes that were read meanwhile may have used the
     * pool's reserve. Then the next body goes to disk; otherwise no connection would be called. Any thread.
     */
    public void freed() {
        if (pool.isAwaited()) {
            reactor.execute(() -> {
                if (pool.isAwaited()) {
                    relieve();
                }
            });
        }
    }

    private void relieve() {
        if (!spillLargest()) {
            otherReactors.spill(this);
        }
    }

    /** Begins to write the largest body to disk. Returns false if there is none. */
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

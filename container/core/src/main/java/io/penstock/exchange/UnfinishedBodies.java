package io.penstock.exchange;

import io.penstock.pipe.SegmentPool;
import io.penstock.reactor.Reactor;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The request bodies of one reactor that have not arrived whole, by the memory that each holds, and the connections that wait for memory.
 * When the server's budget is used up, the largest body goes to disk first. Otherwise incomplete bodies could all wait for memory for ever.
 *
 * <p>Thread: its reactor, but for {@link #waitingForMemory} and {@link #freed}. Each body is in the list of its size, so it is found, added and removed in constant
 * time.
 */
public final class UnfinishedBodies {
    /** Two for each power of two: of two bodies in one list none is half as large again as the other. */
    private static final int SIZES = 2 * Integer.SIZE;

    /** A body that can go to disk. */
    public abstract static class Entry {
        private @Nullable Entry before;
        private @Nullable Entry behind;
        private int listed = -1;

        /** Memory that {@link #spill} would free; 0 if there is none, or if the body is being written. */
        protected abstract int spillable();

        /** Sends the body to disk, so that others have room. */
        protected abstract void spill();
    }

    /** A connection that reads no more until memory is free. */
    public interface MemoryWaiter {

        /** Memory has room again. No effect if the connection has ended meanwhile. */
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

    // How many connections wait for memory, for the gauges. Written by the reactor.
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

    /** The memory that the body holds has changed. */
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

    /** The body is whole, or will never be whole. */
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

    /** Whether bytes that are read now may find no room, or may take the room of connections that wait already. */
    public boolean isShort() {
        return !waitingForMemory.isEmpty() || isUsedUp();
    }

    /**
     * Whether bytes that are read now may find no room. For a connection that has been called, which takes precedence over those that still
     * wait.
     */
    public boolean isUsedUp() {
        return !pool.hasRoom();
    }

    /** Connections that wait for memory. Any thread. */
    public int waitingForMemory() {
        return waitingNow;
    }

    /** Calls the connection when memory has room. Also starts to write a body to disk, which makes room. */
    public void awaitMemory(MemoryWaiter connection) {
        waitingForMemory.addLast(connection);
        waitingNow = waitingForMemory.size();
        awaitRoom();
    }

    /** Asks the pool for a call when it has room; at most one such request is pending. */
    private void awaitRoom() {
        if (!awaiting) {
            awaiting = true;
            pool.whenRoom(() -> reactor.execute(this::feed));
        }
        if (isUsedUp()) { // after the request to the pool: if memory was freed meanwhile, the pool has called already
            relieve();
        }
    }

    /**
     * Calls as many connections as the pool has segments. Calling all of them for each segment would be wasted work, and would not keep
     * their order.
     */
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
     * A body has been written to disk and its memory is free. That may be too little, since bytes that were read meanwhile have used up the
     * pool's reserve. Then the next body goes to disk, since no connection would be called otherwise. Any thread.
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

    /** Starts to write the largest body to disk; returns whether there was one. */
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

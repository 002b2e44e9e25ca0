package io.penstock.exchange;

import io.penstock.reactor.Link;

/**
 * The wait of one connection for memory. The connection does not read until it is called in turn, or until a worker waits for its client.
 *
 * <p>Thread: the reactor.
 *
 * <pre>
 *   READS --begin--> WAITS --called--> CALLED --isShort--> READS
 *                     |  ^
 *                    end begin
 *                     v  |
 *                  READS_IN_LINE --called--> CALLED
 * </pre>
 */
public final class MemoryWait implements UnfinishedBodies.MemoryWaiter {

    private enum Reading {
        READS,
        WAITS,
        /** The connection reads without having been called, and keeps its place in the line. */
        READS_IN_LINE,
        /** The connection may read once, although other connections still wait. */
        CALLED
    }

    private final UnfinishedBodies unfinished;
    private final Link link;
    private final Link.Part whenCalled;
    private Reading reading = Reading.READS;

    /** @param whenCalled runs when memory is free again */
    public MemoryWait(UnfinishedBodies unfinished, Link link, Link.Part whenCalled) {
        this.unfinished = unfinished;
        this.link = link;
        this.whenCalled = whenCalled;
    }

    /** Whether bytes that are read now may find no memory. At the first check after a call, connections that still wait do not count. */
    public boolean isShort() {
        if (reading != Reading.CALLED) {
            return unfinished.isShort();
        }
        reading = Reading.READS;
        return unfinished.isUsedUp();
    }

    public boolean isWaiting() {
        return reading == Reading.WAITS;
    }

    /** Whether this object is in no line and has no unused call. If so, the next wait may use a new object. */
    public boolean isAtRest() {
        return reading == Reading.READS;
    }

    public void begin() {
        Reading before = reading;
        reading = Reading.WAITS;
        if (before == Reading.READS || before == Reading.CALLED) {
            unfinished.awaitMemory(this);
        }
    }

    /** The connection continues to read, with or without memory. */
    public void end() {
        if (reading == Reading.WAITS) {
            reading = Reading.READS_IN_LINE;
        }
    }

    @Override
    public void memoryFree() {
        reading = Reading.CALLED;
        link.contain(whenCalled);
    }
}

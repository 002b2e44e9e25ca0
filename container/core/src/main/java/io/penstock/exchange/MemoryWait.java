package io.penstock.exchange;

import io.penstock.reactor.Link;

/**
 * The wait of one connection for memory. When memory is free, {@link UnfinishedBodies} calls {@link #memoryFree} of the waiting
 * connections, one after another. A connection does not read until it is called. There is one exception: if a worker waits for bytes of the
 * client, the connection must read in any case.
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
public final class MemoryWait {

    private enum Reading {
        READS,
        WAITS,
        /** The connection reads although it was not called. It stays in the list of waiting connections. */
        READS_IN_LINE,
        /** The connection was called. It may read once, although other connections are waiting. */
        CALLED
    }

    private final UnfinishedBodies unfinished;
    private final Link link;
    private final Link.Part whenCalled;
    private Reading reading = Reading.READS;

    /** @param whenCalled the action that runs when this connection is called because memory is free */
    public MemoryWait(UnfinishedBodies unfinished, Link link, Link.Part whenCalled) {
        this.unfinished = unfinished;
        this.link = link;
        this.whenCalled = whenCalled;
    }

    /**
     * Whether the connection should not read now, because memory is used up or because other connections wait for memory. At the first
     * check after the connection was called, other waiting connections do not count.
     */
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

    /**
     * Whether the connection does not wait for memory, and is not in the list of waiting connections. If true, this object can be dropped,
     * and the next wait can use a new object.
     */
    public boolean isAtRest() {
        return reading == Reading.READS;
    }

    public void begin() {
        Reading before = reading;
        reading = Reading.WAITS;
        if (before == Reading.READS || before == Reading.CALLED) {
            unfinished.awaitMemory(this::memoryFree);
        }
    }

    /** Ends the wait: the connection reads again, even if no memory is free. */
    public void end() {
        if (reading == Reading.WAITS) {
            reading = Reading.READS_IN_LINE;
        }
    }

    /** Called when memory is free again. Has no effect if the connection has ended meanwhile. */
    private void memoryFree() {
        reading = Reading.CALLED;
        link.contain(whenCalled);
    }
}

package io.penstock.exchange;

import io.penstock.reactor.Link;

/**
 * The wait of one stream for memory. When memory is free, {@link UnfinishedBodies} calls {@link #memoryFree} of the waiting streams, one
 * after another. A stream does not read until it is called. There is one exception: if a worker waits for bytes of the client, the stream
 * must read in any case. In HTTP/1.1 the stream is the connection.
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
        /** The stream reads although it was not called. It stays in the list of those that wait. */
        READS_IN_LINE,
        /** The stream was called. It may read once, although others are waiting. */
        CALLED
    }

    private final UnfinishedBodies unfinished;
    private final RunningExchange.Stream stream;
    private final Link.Part whenCalled;
    private Reading reading = Reading.READS;

    /** @param whenCalled the action that runs when this stream is called because memory is free */
    public MemoryWait(UnfinishedBodies unfinished, RunningExchange.Stream stream, Link.Part whenCalled) {
        this.unfinished = unfinished;
        this.stream = stream;
        this.whenCalled = whenCalled;
    }

    /**
     * Whether the stream should not read now, because memory is used up or because others wait for memory. At the first check after the
     * stream was called, the others do not count.
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
     * Whether the stream does not wait for memory, and is not in the list of those that wait. If true, this object can be dropped, and the
     * next wait can use a new object.
     */
    public boolean isAtRest() {
        return reading == Reading.READS || reading == Reading.CALLED;
    }

    public void begin() {
        Reading before = reading;
        reading = Reading.WAITS;
        if (before == Reading.READS || before == Reading.CALLED) {
            unfinished.awaitMemory(this::memoryFree);
        }
    }

    /** Ends the wait: the stream reads again, even if no memory is free. */
    public void end() {
        if (reading == Reading.WAITS) {
            reading = Reading.READS_IN_LINE;
        }
    }

    /** Called when memory is free again. Has no effect if the connection has ended meanwhile. A failure ends only the stream. */
    private void memoryFree() {
        reading = Reading.CALLED;
        stream.contain(whenCalled);
    }
}

package io.penstock.exchange;

import io.penstock.reactor.Link;

/**
 * One connection's wait for memory. Its client is not read until the connection is called, in its turn, or a worker waits for what the client sends.
 *
 * <p>Thread: the reactor.
 *
 * <pre>
 *   READS --begin--> WAITS --called--> CALLED --look--> READS
 *                     |  ^
 *                    end begin
 *                     v  |
 *                  READS_IN_LINE --called--> CALLED
 * </pre>
 */
public final class MemoryWait implements UnfinishedBodies.Starving {

    private enum Reading {
        READS,
        WAITS,
        /** Reads although it has not been called: its place in the line is kept. */
        READS_IN_LINE,
        /** It may read once although others still wait. */
        CALLED
    }

    private final UnfinishedBodies unfinished;
    private final Link link;
    private final Link.Part whenCalled;
    private Reading reading = Reading.READS;

    /** @param whenCalled what to do when there is memory again */
    public MemoryWait(UnfinishedBodies unfinished, Link link, Link.Part whenCalled) {
        this.unfinished = unfinished;
        this.link = link;
        this.whenCalled = whenCalled;
    }

    /** Whether bytes that are read now may find no room. One look uses a call up. */
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

    /** Whether it is in no line: the next wait may be another object. */
    public boolean isAtRest() {
        return reading == Reading.READS;
    }

    public void begin() {
        Reading before = reading;
        reading = Reading.WAITS;
        if (before == Reading.READS || before == Reading.CALLED) {
            unfinished.starve(this);
        }
    }

    /** The client is read, memory or not. */
    public void end() {
        if (reading == Reading.WAITS) {
            reading = Reading.READS_IN_LINE;
        }
    }

    @Override
    public void fed() {
        reading = Reading.CALLED;
        link.contain(whenCalled);
    }
}

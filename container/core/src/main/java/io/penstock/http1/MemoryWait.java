package io.penstock.http1;

import io.penstock.exchange.UnfinishedBodies;
import io.penstock.reactor.Link;

/**
 * One connection's wait for memory: its client is not read until it is called, in its turn, or somebody waits for what the client sends.
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
final class MemoryWait implements UnfinishedBodies.Starving {

    private enum State {
        READS,
        WAITS,
        /** Reads although it has not been called: its place in the line is kept. */
        READS_IN_LINE,
        /** Once it need not mind those who still wait. */
        CALLED
    }

    private final UnfinishedBodies unfinished;
    private final Link link;
    private final Link.Part whenCalled;
    private State state = State.READS;

    /** @param whenCalled what to do when there is memory again */
    MemoryWait(UnfinishedBodies unfinished, Link link, Link.Part whenCalled) {
        this.unfinished = unfinished;
        this.link = link;
        this.whenCalled = whenCalled;
    }

    /** Whether bytes that are read now may find no room. One look uses a call up. */
    boolean isShort() {
        if (state != State.CALLED) {
            return unfinished.isShort();
        }
        state = State.READS;
        return unfinished.isUsedUp();
    }

    boolean isWaiting() {
        return state == State.WAITS;
    }

    /** Whether nobody knows of it: the next wait may be another. */
    boolean isAtRest() {
        return state == State.READS;
    }

    void begin() {
        State before = state;
        state = State.WAITS;
        if (before == State.READS || before == State.CALLED) {
            unfinished.starve(this);
        }
    }

    /** The client is read, memory or not. */
    void end() {
        if (state == State.WAITS) {
            state = State.READS_IN_LINE;
        }
    }

    @Override
    public void fed() {
        state = State.CALLED;
        link.contain(whenCalled);
    }
}

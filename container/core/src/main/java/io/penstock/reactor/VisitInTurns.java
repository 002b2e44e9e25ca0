package io.penstock.reactor;

import io.penstock.time.TimerWheel;
import java.util.Iterator;
import java.util.List;

/**
 * A visit to all links of a reactor, some at a time with other work between them: who has thousands of clients must not keep one of
 * them waiting because somebody looks at all.
 *
 * <p>Thread: the reactor.
 */
final class VisitInTurns extends TimerWheel.Timer {
    /** They take a fraction of a millisecond. */
    private static final int FEW = 2048;

    /** So that a visit to very many, a turn each tick, is over before whoever asked loses patience. */
    private static final int MOST_TURNS = 20;

    private final Reactor reactor;
    private final Iterator<SocketLink> left;
    private final Reactor.Visitor visitor;
    private final Runnable done;
    private final int atOnce;

    /**
     * @param done runs after the last visit
     * @param atOnce links that are visited without other work between them
     */
    VisitInTurns(Reactor reactor, List<SocketLink> links, Reactor.Visitor visitor, Runnable done, int atOnce) {
        this.reactor = reactor;
        this.left = links.iterator();
        this.visitor = visitor;
        this.done = done;
        this.atOnce = atOnce;
    }

    /** How many of so many are to be visited at once. */
    static int atOnce(int links) {
        return Math.max(FEW, links / MOST_TURNS);
    }

    void goOn() {
        for (int i = 0; i < atOnce && left.hasNext(); i++) {
            left.next().accept(visitor); // which does nothing for one that has closed meanwhile
        }
        if (left.hasNext()) {
            reactor.wheel().set(this, reactor.now()); // the next tick
        } else {
            done.run();
        }
    }

    @Override
    protected void expired() {
        goOn();
    }
}

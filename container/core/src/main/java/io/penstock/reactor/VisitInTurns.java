package io.penstock.reactor;

import io.penstock.time.TimerWheel;
import java.util.Iterator;
import java.util.List;

/**
 * A visit to all links of a reactor, a few at a time with other work between them. If an operator looks at all clients of a reactor, no
 * client may have to wait until thousands of others have been visited.
 *
 * <p>Thread: the reactor.
 */
final class VisitInTurns extends TimerWheel.Timer {
    /** A visit to this number of links takes a fraction of a millisecond. */
    private static final int FEW = 2048;

    /** The most turns. There is one turn each tick, so this limits how long a visit to very many links lasts. */
    private static final int MOST_TURNS = 20;

    private final Reactor reactor;
    private final Iterator<SocketLink> left;
    private final Reactor.Visitor visitor;
    private final Runnable done;
    private final int atOnce;

    /**
     * @param done runs after the last visit, on the reactor
     * @param atOnce links that are visited without other work between them
     */
    VisitInTurns(Reactor reactor, List<SocketLink> links, Reactor.Visitor visitor, Runnable done, int atOnce) {
        this.reactor = reactor;
        this.left = links.iterator();
        this.visitor = visitor;
        this.done = done;
        this.atOnce = atOnce;
    }

    /** How many links are visited at once, of {@code links} in all. */
    static int atOnce(int links) {
        return Math.max(FEW, links / MOST_TURNS);
    }

    void goOn() {
        for (int i = 0; i < atOnce && left.hasNext(); i++) {
            left.next().accept(visitor); // does nothing for a link that has closed meanwhile
        }
        if (left.hasNext()) {
            reactor.wheel().set(this, reactor.now()); // the visit continues at the next tick
        } else {
            done.run();
        }
    }

    @Override
    protected void expired() {
        goOn();
    }
}

package io.penstock.reactor;

import io.penstock.time.TimerWheel;
import java.util.Iterator;
import java.util.List;

/**
 * Calls a visitor for all links of a {@link Reactor}, in groups, with other work between the groups. When an operator inspects all clients
 * of a reactor, a client must not wait until the visitor has visited thousands of other clients.
 *
 * <p>Thread: the reactor.
 */
final class VisitInGroups extends TimerWheel.Timer {
    /** The minimum number of links in a group. The visitor needs a fraction of a millisecond for this number of links. */
    private static final int FEW = 2048;

    /** The maximum number of groups. The reactor visits one group in each tick of its timers, so this value limits the total time. */
    private static final int MAX_GROUPS = 20;

    private final Reactor reactor;
    private final Iterator<SocketLink> left;
    private final Reactor.Visitor visitor;
    private final Runnable done;
    private final int atOnce;

    /**
     * @param done runs on the reactor after the last group
     * @param atOnce the number of links in a group
     */
    VisitInGroups(Reactor reactor, List<SocketLink> links, Reactor.Visitor visitor, Runnable done, int atOnce) {
        this.reactor = reactor;
        this.left = links.iterator();
        this.visitor = visitor;
        this.done = done;
        this.atOnce = atOnce;
    }

    /** The number of links in a group if there are {@code links} links in total. */
    static int atOnce(int links) {
        return Math.max(FEW, links / MAX_GROUPS);
    }

    void visitNext() {
        for (int i = 0; i < atOnce && left.hasNext(); i++) {
            // This call has no effect if the link has been closed meanwhile.
            left.next().accept(visitor);
        }
        if (left.hasNext()) {
            // The next group follows at the next tick.
            reactor.wheel().set(this, reactor.now());
        } else {
            done.run();
        }
    }

    @Override
    protected void expired() {
        visitNext();
    }
}

package io.penstock.http1;

import io.penstock.exchange.HeadRules;
import io.penstock.exchange.ServerResources;
import io.penstock.exchange.UnfinishedBodies;
import io.penstock.reactor.Reactor;
import org.jspecify.annotations.Nullable;

/**
 * The objects that all connections of one reactor share, so that each connection needs only one reference. One of them is a {@link
 * HeadStage}: most heads arrive complete in one read, and for these heads all connections use the same stage, one after the other. A head
 * that arrives in pieces keeps its stage until the head is complete. Meanwhile other heads get another stage.
 *
 * <p>Thread: the reactor; {@link #server} and {@link #heads}: any. From {@link #beginHead} to {@link #endHead} a stage belongs to one
 * connection. The stage of a head that is refused, or that never becomes complete, is not used again.
 */
final class ReactorParts {
    private final ServerResources server;
    private final HeadWriter heads;
    private final HeadRules rules;
    private final Reactor reactor;
    private final UnfinishedBodies unfinished;
    private @Nullable HeadStage free;

    /**
     * @param heads writes the heads of responses; all reactors of a server use the same object
     * @param rules the rules for the heads of requests
     * @param unfinished the bodies that are arriving
     */
    ReactorParts(
            ServerResources server, HeadWriter heads, HeadRules rules, Reactor reactor, UnfinishedBodies unfinished) {
        this.server = server;
        this.heads = heads;
        this.rules = rules;
        this.reactor = reactor;
        this.unfinished = unfinished;
    }

    ServerResources server() {
        return server;
    }

    HeadWriter heads() {
        return heads;
    }

    UnfinishedBodies unfinished() {
        return unfinished;
    }

    /** Returns a stage for a head whose first bytes have just been read; see {@link HeadStage#begin}. */
    HeadStage beginHead(boolean behindOthers) {
        assert reactor.isCurrent();
        HeadStage lent = free;
        free = null;
        if (lent == null) {
            lent = new HeadStage(server, rules);
        }
        lent.begin(reactor.now(), behindOthers);
        return lent;
    }

    /** Called when the head of this stage is complete. The connection does not use the stage any more. */
    void endHead(HeadStage used) {
        assert reactor.isCurrent();
        used.end();
        free = used;
    }
}

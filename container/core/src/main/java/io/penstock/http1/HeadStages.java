package io.penstock.http1;

import io.penstock.exchange.ServerResources;
import io.penstock.reactor.Reactor;
import org.jspecify.annotations.Nullable;

/**
 * The {@link HeadStage}s of one reactor. A stage reads one head at a time. Most heads arrive complete in one read. For these, all connections use the same
 * stage, one after the other. A head that arrives in pieces keeps its stage until it is complete, and the next head gets another stage.
 *
 * <p>Thread: the reactor. From {@link #begin} to {@link #end} a stage belongs to one connection. The stage of a head that is refused, or
 * that never becomes complete, is not used again.
 */
final class HeadStages {
    private final ServerResources server;
    private final HeadRules rules;
    private final Reactor reactor;
    private @Nullable HeadStage free;

    HeadStages(ServerResources server, HeadRules rules, Reactor reactor) {
        this.server = server;
        this.rules = rules;
        this.reactor = reactor;
    }

    /** A stage for a head whose first bytes have just been read; see {@link HeadStage#begin}. */
    HeadStage begin(boolean behindOthers) {
        assert reactor.isCurrent();
        HeadStage lent = free;
        free = null;
        if (lent == null) {
            lent = new HeadStage(server, rules);
        }
        lent.begin(reactor.now(), behindOthers);
        return lent;
    }

    /** The head of this stage is complete, and its connection does not use the stage any more. */
    void end(HeadStage used) {
        assert reactor.isCurrent();
        used.end();
        free = used;
    }
}

package io.penstock.http1;

import io.penstock.exchange.ServerResources;
import io.penstock.reactor.Reactor;
import org.jspecify.annotations.Nullable;

/**
 * The {@link HeadStage}s of one reactor. A stage reads one head at a time. Most heads arrive complete in one read. For these heads, all
 * connections use the same stage, one after the other. A head that arrives in pieces keeps its stage until the head is complete. Meanwhile
 * other heads get another stage.
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

    /** Returns a stage for a head whose first bytes have just been read; see {@link HeadStage#begin}. */
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

    /** Called when the head of this stage is complete. The connection does not use the stage any more. */
    void end(HeadStage used) {
        assert reactor.isCurrent();
        used.end();
        free = used;
    }
}

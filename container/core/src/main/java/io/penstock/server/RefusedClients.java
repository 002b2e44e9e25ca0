package io.penstock.server;

import io.penstock.events.CloseCause;
import io.penstock.exchange.Protocol;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Link;
import io.penstock.reactor.LinkHandler;
import java.util.ArrayDeque;

/**
 * The clients of one reactor that came when too many connections were open, and are told so. There are never more than a few: a new one
 * takes the place of the one that has had most time.
 *
 * <p>Thread: the reactor.
 */
final class RefusedClients {
    private final Protocol protocol;
    private final int most;
    private final ArrayDeque<Link> links = new ArrayDeque<>();

    /** @param most clients at one time */
    RefusedClients(Protocol protocol, int most) {
        this.protocol = protocol;
        this.most = most;
    }

    LinkHandler open(Link link) {
        links.removeIf(other -> !other.isOpen());
        while (links.size() >= most) {
            links.removeFirst().close(new ConnectionClosed(CloseCause.MAX_CONNECTIONS));
        }
        links.addLast(link);
        return protocol.refuse(link);
    }
}

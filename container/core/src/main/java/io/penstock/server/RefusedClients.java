package io.penstock.server;

import io.penstock.events.CloseCause;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Link;
import java.util.ArrayDeque;

/**
 * The clients of one reactor that are refused because too many connections are open. Each client gets an error response. The number of
 * clients in this list has a small limit. At the limit, a new client replaces the oldest.
 *
 * <p>Thread: the reactor.
 */
final class RefusedClients {
    private final int most;
    private final ArrayDeque<Link> sockets = new ArrayDeque<>();

    /** @param most the largest number of clients in this list */
    RefusedClients(int most) {
        this.most = most;
    }

    /** Adds a client. Closes the oldest clients while the list has reached its limit. */
    void add(Link socket) {
        sockets.removeIf(other -> !other.isOpen());
        while (sockets.size() >= most) {
            sockets.removeFirst().close(new ConnectionClosed(CloseCause.MAX_CONNECTIONS));
        }
        sockets.addLast(socket);
    }
}

package io.penstock.server;

import io.penstock.events.CloseCause;
import io.penstock.exchange.ConnectionState;
import io.penstock.exchange.Conversation;
import io.penstock.limits.Key;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Link;
import io.penstock.reactor.LinkHandler;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A new connection that was accepted at the limit of connections, and that replaces another connection. The connection to replace is chosen
 * from these groups, in this order:
 *
 * <ol>
 *   <li>idle connections, connections in a handshake or with an incomplete request head, and connections that are being closed
 *   <li>connections whose client sends a request body
 *   <li>connections whose client receives a response
 * </ol>
 *
 * <p>If several connections are in the same group, the oldest is replaced. A connection is never replaced while one of its requests is being
 * written to disk, waits for a worker or runs on a worker ({@link ConnectionState#busier}). An upgraded connection is never replaced. At most {@link #LOOKED_AT} connections
 * are examined.
 *
 * <p>Thread: the reactor of the new connection.
 *
 * <pre>
 *   WAITING --another connection is closed--> ADMITTED
 *        +------none can be closed-----> REFUSED
 * </pre>
 */
final class Replacement {
    /** The largest number of connections that are examined. To examine more would cost too much for one new connection. */
    private static final int LOOKED_AT = 128;

    private final ConnectionAcceptor acceptor;
    private final ConnectionAcceptor.Target target;
    private final ProtocolChoice choice;
    private State state = State.WAITING;

    private enum State {
        WAITING,
        ADMITTED,
        REFUSED
    }

    /**
     * @param target the reactor, with the objects for its connections
     * @param choice the protocols that the new connection may use
     */
    Replacement(ConnectionAcceptor acceptor, ConnectionAcceptor.Target target, ProtocolChoice choice) {
        this.acceptor = acceptor;
        this.target = target;
        this.choice = choice;
    }

    LinkHandler open(Link socket) throws IOException {
        Search search = new Search();
        target.reactor().forSomeHandlers(LOOKED_AT, Reactors.of(search::look));
        Conversation other = search.found;
        if (other != null) {
            acceptor.replaced();
            other.close(new ConnectionClosed(CloseCause.REPLACED));
        }
        if (acceptor.tryAdmitWaiting()) {
            state = State.ADMITTED;
            return target.open(socket, choice);
        }
        state = State.REFUSED;
        acceptor.tooMany();
        return target.refuse(socket, choice, Key.MAX_CONNECTIONS);
    }

    /** Called after the new connection has closed. */
    void closed() {
        if (state == State.ADMITTED) {
            acceptor.closed();
        } else {
            acceptor.waitingClosed();
        }
    }

    /** Finds the connection to replace. It is the oldest of the connections with the lowest {@link #claimOf}. */
    private static final class Search {
        private @Nullable Conversation found;
        private int claim = Integer.MAX_VALUE;

        void look(Conversation conversation) {
            int its = claimOf(conversation.state());
            if (its < claim || (its == claim && isOlder(conversation))) {
                claim = its;
                found = conversation;
            }
        }

        private boolean isOlder(Conversation conversation) {
            return found != null && conversation.ageNanos() > found.ageNanos();
        }
    }

    /**
     * The rank of a connection in the given state. The connection with the lowest rank is replaced first. {@link Integer#MAX_VALUE} means
     * that the connection must not be replaced.
     */
    private static int claimOf(ConnectionState state) {
        return switch (state) {
            case HANDSHAKE, IDLE, HEAD, CLOSING -> 0;
            case BODY -> 1;
            case DRAINING -> 2;
            case STORING, QUEUED, RUNNING, UPGRADED -> Integer.MAX_VALUE;
        };
    }
}

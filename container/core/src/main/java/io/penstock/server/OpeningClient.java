package io.penstock.server;

import io.penstock.events.CloseCause;
import io.penstock.exchange.AcceptedConnection;
import io.penstock.exchange.Causes;
import io.penstock.exchange.Deadline;
import io.penstock.exchange.Protocol;
import io.penstock.exchange.ServerResources;
import io.penstock.exchange.Shutdown;
import io.penstock.exchange.UnfinishedBodies;
import io.penstock.limits.Key;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Link;
import io.penstock.reactor.LinkHandler;
import io.penstock.reactor.LinkLayer;
import io.penstock.time.Saturated;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A connected client whose {@link LinkLayer} has not opened. The layer for TLS opens after the handshake. The layer for the PROXY protocol
 * opens after the header of the proxy has arrived. The layer for plain text opens immediately.
 *
 * <p>Thread: the reactor.
 *
 * <pre>
 *   OPENING --the layer has opened--> (the handler of the protocol)
 *       +--the deadline has passed, or the client disconnects--> (closed)
 * </pre>
 */
abstract class OpeningClient implements LinkLayer.Opening {
    private final ServerResources server;
    private final ProtocolChoice choice;
    private final Link socket;
    private final AcceptedConnection accepted;
    private final Deadline deadline;
    private Key awaited = Key.HANDSHAKE_TIMEOUT;
    private boolean agreed;

    OpeningClient(ServerResources server, ProtocolChoice choice, Link socket, UnfinishedBodies unfinished) {
        this.server = server;
        this.choice = choice;
        this.socket = socket;
        this.accepted =
                new AcceptedConnection(server.nextConnection(), socket.reactor().now(), unfinished);
        this.deadline = new Deadline(socket) {
            @Override
            protected void passed() {
                timedOut();
            }
        };
    }

    /** Makes the handler of the socket. */
    final LinkHandler open() throws IOException {
        server.events().opened(accepted.connectionId(), socket.remote());
        try {
            LinkHandler handler = choice.layer().open(socket, this);
            if (!agreed) {
                awaits(awaited);
            }
            return handler;
        } catch (IOException | RuntimeException | Error e) {
            deadline.remove();
            // The socket has no handler that could report the close.
            reportClosed(ConnectionClosed.of(e));
            throw e;
        }
    }

    /** Makes the handler of the connection after the layer has opened. From now on the client uses {@code protocol} over {@code link}. */
    abstract LinkHandler begin(Link link, Protocol protocol, AcceptedConnection connection);

    @Override
    public final List<String> protocols() {
        return choice.names();
    }

    @Override
    public final LinkHandler agreed(Link link, @Nullable String protocol) {
        agreed = true;
        deadline.remove();
        return begin(link, choice.named(protocol), accepted);
    }

    @Override
    public final void awaits(Key bound) {
        awaited = bound;
        if (server.shutdown().isFinishing()) {
            deadline.at(firstRequestUntil());
            return;
        }
        deadline.in(
                bound == Key.PROXY_HEADER_TIMEOUT
                        ? server.config().proxies().headerTimeout()
                        : server.config().timeouts().handshake());
    }

    /**
     * Called when the server stops accepting connections. Clients that have just connected can continue until {@link #firstRequestUntil}.
     * The connections of all other clients are closed.
     */
    final void endSoon() {
        if (socket.reactor().now() - firstRequestUntil() < 0) {
            awaits(awaited);
        } else {
            socket.close(new ConnectionClosed(CloseCause.SERVER_STOPPING));
        }
    }

    private long firstRequestUntil() {
        return accepted.nanos() + Saturated.nanos(Shutdown.FIRST_REQUEST);
    }

    private void timedOut() {
        if (server.shutdown().isFinishing()) {
            socket.close(new ConnectionClosed(CloseCause.SERVER_STOPPING));
            return;
        }
        server.reached(awaited);
        server.events().timedOut(accepted.connectionId(), awaited.id());
        socket.close(new ConnectionClosed(Causes.of(awaited)));
    }

    @Override
    public final void onClosed(ConnectionClosed cause) {
        deadline.remove();
        reportClosed(cause);
    }

    private void reportClosed(ConnectionClosed cause) {
        server.events().closed(accepted.connectionId(), cause.reason(), cause.detail());
    }

    final Link socket() {
        return socket;
    }

    final AcceptedConnection accepted() {
        return accepted;
    }
}

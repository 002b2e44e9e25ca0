package io.penstock.server;

import io.penstock.events.CloseCause;
import io.penstock.exchange.Arrival;
import io.penstock.exchange.Deadline;
import io.penstock.exchange.Protocol;
import io.penstock.exchange.ServerResources;
import io.penstock.exchange.UnfinishedBodies;
import io.penstock.limits.Key;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Link;
import io.penstock.reactor.LinkHandler;
import io.penstock.reactor.LinkLayer;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A connected client until the layer of its listener has opened: during the handshake, if the layer encrypts. A layer without a handshake
 * opens at once.
 *
 * <p>Thread: the reactor.
 *
 * <pre>
 *   OPENING --the layer agrees--> (the handler of the protocol)
 *      +--handshake-timeout, or the client leaves--> (closed)
 * </pre>
 */
abstract class OpeningClient implements LinkLayer.Opening {
    private final ServerResources server;
    private final ProtocolChoice choice;
    private final Link socket;
    private final Arrival arrival;
    private final Deadline deadline;
    private boolean agreed;

    OpeningClient(ServerResources server, ProtocolChoice choice, Link socket, UnfinishedBodies unfinished) {
        this.server = server;
        this.choice = choice;
        this.socket = socket;
        this.arrival = new Arrival(server.nextConnection(), socket.reactor().now(), unfinished);
        this.deadline = new Deadline(socket) {
            @Override
            protected void passed() {
                timedOut();
            }
        };
    }

    /** Makes the handler of the socket. */
    final LinkHandler open() throws IOException {
        server.events().opened(arrival.connectionId(), socket.remote());
        try {
            LinkHandler handler = choice.layer().open(socket, this);
            if (!agreed) {
                deadline.in(server.config().timeouts().handshake());
            }
            return handler;
        } catch (IOException | RuntimeException | Error e) {
            tellClosed(ConnectionClosed.of(e)); // no handler exists that could report the close
            throw e;
        }
    }

    /** The layer has opened: the client uses this protocol over this link from here on. */
    abstract LinkHandler begin(Link link, Protocol protocol, Arrival connection);

    @Override
    public final List<String> protocols() {
        return choice.names();
    }

    @Override
    public final LinkHandler agreed(Link link, @Nullable String protocol) {
        agreed = true;
        deadline.remove();
        return begin(link, choice.named(protocol), arrival);
    }

    private void timedOut() {
        server.reached(Key.HANDSHAKE_TIMEOUT);
        server.events().timedOut(arrival.connectionId(), Key.HANDSHAKE_TIMEOUT.id());
        socket.close(new ConnectionClosed(CloseCause.HANDSHAKE_TIMEOUT));
    }

    @Override
    public final void onClosed(ConnectionClosed cause) {
        deadline.remove();
        tellClosed(cause);
    }

    private void tellClosed(ConnectionClosed cause) {
        server.events().closed(arrival.connectionId(), cause.reason(), cause.detail());
    }

    final Link socket() {
        return socket;
    }

    final Arrival arrival() {
        return arrival;
    }
}

package io.penstock.server;

import io.penstock.events.CloseCause;
import io.penstock.exchange.AcceptedConnection;
import io.penstock.exchange.ConnectionSnapshot;
import io.penstock.exchange.ConnectionState;
import io.penstock.exchange.Conversation;
import io.penstock.exchange.Protocol;
import io.penstock.exchange.ServerResources;
import io.penstock.exchange.UnfinishedBodies;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Link;
import io.penstock.reactor.LinkHandler;
import java.util.List;

/**
 * A client that is counted as a connection while its {@link io.penstock.reactor.LinkLayer} opens, for example during the TLS handshake. The
 * client has not sent a request.
 */
final class OpeningConversation extends OpeningClient implements Conversation {

    OpeningConversation(ServerResources server, ProtocolChoice choice, Link socket, UnfinishedBodies unfinished) {
        super(server, choice, socket, unfinished);
    }

    @Override
    LinkHandler begin(Link link, Protocol protocol, AcceptedConnection connection) {
        return protocol.open(link, connection);
    }

    @Override
    public ConnectionState state() {
        return ConnectionState.HANDSHAKE;
    }

    @Override
    public ConnectionSnapshot snapshot() {
        return new ConnectionSnapshot(
                accepted().connectionId(), socket().remote(), state(), ageNanos(), "", List.of(), 0, 0, 0, 0);
    }

    @Override
    public long requestBytes() {
        return 0;
    }

    @Override
    public long responseBytes() {
        return 0;
    }

    @Override
    public long ageNanos() {
        return socket().reactor().now() - accepted().nanos();
    }

    @Override
    public void finish() {
        endSoon();
    }

    @Override
    public void cut() {
        close(new ConnectionClosed(CloseCause.SHUTDOWN_TIMEOUT));
    }

    @Override
    public void end() {
        close(new ConnectionClosed(CloseCause.SHUTDOWN_TIMEOUT));
    }

    @Override
    public void close(ConnectionClosed cause) {
        socket().close(cause);
    }
}

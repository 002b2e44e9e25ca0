package io.penstock.server;

import io.penstock.exchange.AcceptedConnection;
import io.penstock.exchange.Protocol;
import io.penstock.exchange.ServerResources;
import io.penstock.exchange.UnfinishedBodies;
import io.penstock.limits.Key;
import io.penstock.reactor.Link;
import io.penstock.reactor.LinkHandler;

/**
 * A client that is refused because of a limit of connections. After the {@link io.penstock.reactor.LinkLayer} of the connection has opened,
 * for example after the TLS handshake, the client gets an error response in its protocol. This class is not a {@link
 * io.penstock.exchange.Conversation}, so the client is not counted as a connection.
 */
final class OpeningRefusal extends OpeningClient {

    private final Key limit;

    OpeningRefusal(ServerResources server, ProtocolChoice choice, Link socket, UnfinishedBodies unfinished, Key limit) {
        super(server, choice, socket, unfinished);
        this.limit = limit;
    }

    @Override
    LinkHandler begin(Link link, Protocol protocol, AcceptedConnection connection) {
        return protocol.refuse(link, connection, limit);
    }
}

package io.penstock.server;

import io.penstock.exchange.AcceptedConnection;
import io.penstock.exchange.Protocol;
import io.penstock.exchange.ServerResources;
import io.penstock.exchange.UnfinishedBodies;
import io.penstock.limits.Key;
import io.penstock.reactor.Link;
import io.penstock.reactor.LinkHandler;

/** A client beyond a limit of connections. When its layer has opened, it gets a refusal in its protocol. It is not a conversation. */
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

package io.penstock.http1;

import io.penstock.exchange.Arrival;
import io.penstock.exchange.Conversation;
import io.penstock.exchange.Protocol;
import io.penstock.exchange.ServerResources;
import io.penstock.reactor.Link;
import io.penstock.reactor.LinkHandler;

/** HTTP/1.1, with the objects that all its connections of one server share. */
public final class Http1Protocol implements Protocol {
    private final ServerResources server;
    private final DateField date = new DateField();

    public Http1Protocol(ServerResources server) {
        this.server = server;
    }

    @Override
    public String name() {
        return HTTP_1_1;
    }

    @Override
    public Conversation open(Link link, Arrival arrival) {
        return new Http1Connection(server, date, link, arrival);
    }

    @Override
    public LinkHandler refuse(Link link, Arrival arrival) {
        return new RefusedClient(server, date, link, arrival.connectionId());
    }
}

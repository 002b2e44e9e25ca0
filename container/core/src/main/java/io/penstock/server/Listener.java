package io.penstock.server;

import io.penstock.exchange.Protocol;
import io.penstock.exchange.ServerResources;
import io.penstock.http1.Http1Protocol;
import io.penstock.limits.Listen;
import io.penstock.reactor.LinkLayer;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.function.Function;

/**
 * An address at which clients connect, and the protocols that it offers.
 *
 * @param address a network address, whose port 0 takes a free port; or a Unix domain socket
 * @param layer makes the layer between the sockets and the conversations; called once for each server
 * @param protocols make the protocols from which the layer may choose, the preferred first; one of them is HTTP/1.1
 */
public record Listener(
        SocketAddress address,
        Function<ServerResources, LinkLayer> layer,
        List<Function<ServerResources, Protocol>> protocols) {

    public Listener {
        protocols = List.copyOf(protocols);
    }

    /** HTTP/1.1 in plain text at an address. */
    public static Listener plain(SocketAddress address) {
        return new Listener(address, server -> LinkLayer.NONE, List.of(Http1Protocol::new));
    }

    /** The configured listener. */
    static Listener of(Listen configured) {
        return plain(new InetSocketAddress(configured.host(), configured.port()));
    }
}

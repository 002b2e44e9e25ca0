package io.penstock.server;

import io.penstock.exchange.Admission;
import io.penstock.exchange.Protocol;
import io.penstock.exchange.ServerResources;
import io.penstock.http1.Http1Protocol;
import io.penstock.limits.ListenPlace;
import io.penstock.proxy.ProxyLayer;
import io.penstock.reactor.LinkLayer;
import io.penstock.tls.TlsEngines;
import io.penstock.tls.TlsLayer;
import io.penstock.tls.TlsResources;
import java.net.SocketAddress;
import java.util.List;
import java.util.function.Function;

/**
 * A place at which clients connect, and the protocols that it offers.
 *
 * @param layer makes the layer between the sockets and the conversations, such as TLS; called once for each server
 * @param protocols make the protocols from which the layer may choose, the preferred first; one of them is HTTP/1.1
 */
public record Listener(ListenPlace place, LayerMaker layer, List<Function<ServerResources, Protocol>> protocols) {

    /** Makes the layer of a listener. */
    @FunctionalInterface
    public interface LayerMaker {
        /** @param tls the resources that all TLS connections of the server share */
        LinkLayer make(ServerResources server, TlsResources tls);
    }

    public Listener {
        protocols = List.copyOf(protocols);
    }

    /** HTTP/1.1 in plain text, at a network address (port 0 takes a free port) or at a Unix domain socket. */
    public static Listener plain(SocketAddress address) {
        return plain(ListenPlace.of(address));
    }

    /** HTTP/1.1 in plain text. */
    static Listener plain(ListenPlace place) {
        return new Listener(place, (server, tls) -> LinkLayer.NONE, List.of(Http1Protocol::new));
    }

    /** HTTP/1.1 in plain text. {@code admission} replaces the server's admission for the requests of this listener. */
    static Listener plain(ListenPlace place, Admission admission) {
        return new Listener(
                place, (server, tls) -> LinkLayer.NONE, List.of(server -> Http1Protocol.plain(server, admission)));
    }

    /** HTTP/1.1 over TLS, at the same kinds of addresses as {@link #plain(SocketAddress)}. */
    public static Listener tls(SocketAddress address, TlsEngines engines) {
        return tls(ListenPlace.of(address), engines);
    }

    /** HTTP/1.1 over TLS. */
    static Listener tls(ListenPlace place, TlsEngines engines) {
        return new Listener(
                place,
                (server, tls) -> new TlsLayer(engines, tls, server, Http1Protocol.answerWithoutTls()),
                List.of(Http1Protocol::overTls));
    }

    /** The same listener, for proxies that begin each connection with a PROXY header. */
    Listener behindProxies() {
        return new Listener(place, (server, tls) -> new ProxyLayer(layer.make(server, tls), server), protocols);
    }
}

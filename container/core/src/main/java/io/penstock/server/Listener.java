package io.penstock.server;

import io.penstock.exchange.Admission;
import io.penstock.exchange.Protocol;
import io.penstock.exchange.ServerResources;
import io.penstock.http1.Http1Protocol;
import io.penstock.limits.Listen;
import io.penstock.proxy.ProxyLayer;
import io.penstock.reactor.LinkLayer;
import io.penstock.tls.TlsEngines;
import io.penstock.tls.TlsLayer;
import io.penstock.tls.TlsResources;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.List;
import java.util.function.Function;

/**
 * An address at which clients connect, and the protocols that it offers.
 *
 * @param address a network address, whose port 0 takes a free port; or a Unix domain socket
 * @param layer makes the layer between the sockets and the conversations, such as TLS; called once for each server
 * @param protocols make the protocols from which the layer may choose, the preferred first; one of them is HTTP/1.1
 */
public record Listener(SocketAddress address, LayerMaker layer, List<Function<ServerResources, Protocol>> protocols) {

    /** Makes the layer of a listener. */
    @FunctionalInterface
    public interface LayerMaker {
        /** @param tls what all connections with TLS of the server share */
        LinkLayer make(ServerResources server, TlsResources tls);
    }

    public Listener {
        protocols = List.copyOf(protocols);
    }

    /** HTTP/1.1 in plain text at an address. */
    public static Listener plain(SocketAddress address) {
        return new Listener(address, (server, tls) -> LinkLayer.NONE, List.of(Http1Protocol::new));
    }

    /** HTTP/1.1 in plain text at an address, whose requests have an admission of their own. */
    static Listener plain(SocketAddress address, Admission admission) {
        return new Listener(
                address, (server, tls) -> LinkLayer.NONE, List.of(server -> Http1Protocol.plain(server, admission)));
    }

    /** HTTP/1.1 over TLS at an address. */
    public static Listener tls(SocketAddress address, TlsEngines engines) {
        return new Listener(
                address,
                (server, tls) -> new TlsLayer(engines, tls, server, Http1Protocol.answerWithoutTls()),
                List.of(Http1Protocol::overTls));
    }

    /** The same, for proxies that begin each connection with a PROXY header. */
    Listener behindProxies() {
        return new Listener(address, (server, tls) -> new ProxyLayer(layer.make(server, tls), server), protocols);
    }

    /** The configured listener in plain text. */
    static Listener of(Listen configured) {
        return plain(address(configured));
    }

    /** The configured listener over TLS. */
    static Listener of(Listen configured, TlsEngines engines) {
        return tls(address(configured), engines);
    }

    private static InetSocketAddress address(Listen configured) {
        return new InetSocketAddress(configured.host(), configured.port());
    }
}

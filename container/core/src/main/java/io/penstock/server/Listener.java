package io.penstock.server;

import io.penstock.exchange.Admission;
import io.penstock.exchange.Protocol;
import io.penstock.exchange.ServerResources;
import io.penstock.http1.Http1Protocol;
import io.penstock.http2.Http2Protocol;
import io.penstock.http2.PriorKnowledge;
import io.penstock.limits.ListenAddress.BindAddress;
import io.penstock.proxy.ProxyLayer;
import io.penstock.reactor.LinkLayer;
import io.penstock.tls.TlsEngines;
import io.penstock.tls.TlsLayer;
import io.penstock.tls.TlsResources;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * An address at which clients connect, and the protocols at this address.
 *
 * @param address the network address or the Unix domain socket
 * @param layer makes the layer between the sockets and the protocols, for example TLS. It is called once for each server
 * @param protocols the functions that make the protocols. The layer chooses one of these protocols for each connection. The preferred
 *     protocol is the first. One of the protocols is HTTP/1.1
 */
public record Listener(BindAddress address, LayerMaker layer, List<Function<ServerResources, Protocol>> protocols) {

    /** Makes the layer of a listener. */
    @FunctionalInterface
    public interface LayerMaker {
        /** @param tls the resources that all TLS connections of the server share */
        LinkLayer make(ServerResources server, TlsResources tls);
    }

    public Listener {
        protocols = List.copyOf(protocols);
    }

    /** A listener for HTTP/1.1 in plain text, at a network address or at a Unix domain socket. Port 0 takes a free port. */
    public static Listener plain(SocketAddress address) {
        return plain(BindAddress.of(address));
    }

    /** A listener for HTTP/1.1 in plain text. */
    static Listener plain(BindAddress address) {
        return new Listener(address, (server, tls) -> LinkLayer.NONE, List.of(Http1Protocol::new));
    }

    /**
     * A listener for HTTP/1.1 in plain text. For the requests of this listener, {@code admission} replaces the server's {@link Admission}.
     */
    static Listener plain(BindAddress address, Admission admission) {
        return new Listener(
                address, (server, tls) -> LinkLayer.NONE, List.of(server -> Http1Protocol.plain(server, admission)));
    }

    /** A listener for HTTP/1.1 over TLS, at the same kinds of addresses as {@link #plain(SocketAddress)}. */
    public static Listener tls(SocketAddress address, TlsEngines engines) {
        return tls(BindAddress.of(address), engines);
    }

    /** A listener for HTTP/1.1 over TLS. */
    static Listener tls(BindAddress address, TlsEngines engines) {
        return new Listener(
                address,
                (server, tls) -> new TlsLayer(engines, tls, server, Http1Protocol.answerWithoutTls()),
                List.of(Http1Protocol::overTls));
    }

    /** A copy of this TLS listener that also offers HTTP/2. */
    Listener withHttp2() {
        return new Listener(address, layer, with(Http2Protocol::overTls));
    }

    /** A copy of this listener without TLS that also accepts HTTP/2 from clients that begin with it. */
    Listener withPriorKnowledge() {
        return new Listener(address, (server, tls) -> new PriorKnowledge(), with(Http2Protocol::plain));
    }

    private List<Function<ServerResources, Protocol>> with(Function<ServerResources, Protocol> preferred) {
        List<Function<ServerResources, Protocol>> all = new ArrayList<>(protocols);
        all.add(0, preferred);
        return all;
    }

    /** A copy of this listener, for proxies that begin each connection with a header of the PROXY protocol. */
    Listener behindProxies() {
        return new Listener(address, (server, tls) -> new ProxyLayer(layer.make(server, tls), server), protocols);
    }
}

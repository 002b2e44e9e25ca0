package io.penstock.proxy;

import io.penstock.events.CloseCause;
import io.penstock.exchange.ServerResources;
import io.penstock.limits.Counter;
import io.penstock.limits.Key;
import io.penstock.limits.TrustedProxies;
import io.penstock.reactor.ConnectionClosed;
import io.penstock.reactor.Link;
import io.penstock.reactor.LinkHandler;
import io.penstock.reactor.LinkLayer;
import java.io.IOException;

/**
 * The PROXY protocol on all connections of a listener. This layer lies below another layer, for example TLS. Only trusted proxies may
 * connect.
 *
 * <p>Thread: the reactors.
 */
public final class ProxyLayer implements LinkLayer {
    private final LinkLayer upper;
    private final ServerResources server;
    private final TrustedProxies proxies;

    /** @param upper the layer above, which opens when the header has arrived */
    public ProxyLayer(LinkLayer upper, ServerResources server) {
        this.upper = upper;
        this.server = server;
        this.proxies = server.config().proxies();
    }

    @Override
    public LinkHandler open(Link socket, Opening opening) throws IOException {
        if (!proxies.trust(socket.remote())) {
            throw refused("its address is not in " + Key.TRUSTED_PROXIES.id());
        }
        opening.awaits(Key.PROXY_HEADER_TIMEOUT);
        return new ProxyLink(socket, opening, this);
    }

    LinkLayer upper() {
        return upper;
    }

    /** Counts a refused connection. Returns the cause for its close. */
    ConnectionClosed refused(String detail) {
        server.count(Counter.PROXY_HEADERS_REFUSED);
        return new ConnectionClosed(CloseCause.PROXY_HEADER, detail);
    }
}

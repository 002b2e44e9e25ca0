package io.penstock.server;

import io.penstock.exchange.Protocol;
import io.penstock.exchange.ServerResources;
import io.penstock.reactor.LinkLayer;
import io.penstock.tls.TlsResources;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The protocols that clients of one listener can use, and the listener's {@link LinkLayer} below these protocols (plain text or TLS). All
 * connections of the listener share this object.
 *
 * <p>Thread: reactors, except for the constructor.
 */
final class ProtocolChoice {
    private final LinkLayer layer;
    private final List<Protocol> protocols;
    private final List<String> names;
    private final Protocol usual;

    /** @throws IllegalArgumentException if HTTP/1.1 is not among the listener's protocols */
    ProtocolChoice(Listener listener, ServerResources server, TlsResources tls) {
        this.layer = listener.layer().make(server, tls);
        this.protocols =
                listener.protocols().stream().map(made -> made.apply(server)).toList();
        this.names = protocols.stream().map(Protocol::name).toList();
        this.usual = find(Protocol.HTTP_1_1);
    }

    LinkLayer layer() {
        return layer;
    }

    /** The names of the protocols that a layer can negotiate. The preferred name is the first. */
    List<String> names() {
        return names;
    }

    /** @param name the name of the negotiated protocol, or null if no protocol was negotiated */
    Protocol named(@Nullable String name) {
        return name == null ? usual : find(name);
    }

    private Protocol find(String name) {
        for (Protocol protocol : protocols) {
            if (protocol.name().equals(name)) {
                return protocol;
            }
        }
        throw new IllegalArgumentException("the protocol " + name + " is not among " + names);
    }
}

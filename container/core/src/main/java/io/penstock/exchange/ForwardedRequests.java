package io.penstock.exchange;

import io.penstock.http.ForwardedField;
import io.penstock.http.ForwardedNode;
import io.penstock.http.Forwarding;
import io.penstock.http.RequestHead;
import io.penstock.http.Violation;
import io.penstock.http.XForwardedFields;
import io.penstock.limits.TrustedProxies;
import io.penstock.memory.HeapSize;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Reads the request fields in which a trusted proxy describes its client. The result is the address of the client, and the host and the
 * scheme that the client has used.
 *
 * <p>Thread: any. Immutable.
 */
public final class ForwardedRequests {
    private final TrustedProxies proxies;
    private final Forwarding.Reader reader;

    private ForwardedRequests(TrustedProxies proxies) {
        this.proxies = proxies;
        this.reader = switch (proxies.fields()) {
            case X_FORWARDED -> XForwardedFields::read;
            case FORWARDED -> ForwardedField::read;
        };
    }

    /** Returns null if no proxy is trusted. */
    public static @Nullable ForwardedRequests of(TrustedProxies proxies) {
        return proxies.isOn() ? new ForwardedRequests(proxies) : null;
    }

    /** Whether the peer of a connection is a trusted proxy. */
    public boolean comeFrom(SocketAddress peer) {
        return proxies.trust(peer);
    }

    /**
     * A request that came from a trusted proxy.
     *
     * @param head the head with the host that the client has used; the unchanged head if the proxy does not send this host
     * @param client the client for which the proxy has sent the request
     */
    public record Forwarded(RequestHead head, Peer client) {
        private static final int OBJECTS = 400;

        /** How many bytes of memory this object, the client, and the host that the proxy has sent take. */
        public int held() {
            String authority = head.target().authority();
            return OBJECTS + (authority == null ? 0 : HeapSize.text(authority.length()));
        }
    }

    /**
     * Reads the fields of a trusted proxy. Returns null if the head has no such fields. In this case, the proxy itself is the client.
     *
     * @param head the head that the proxy has sent
     * @param proxy the peer of the connection, which is the proxy
     * @throws Violation with the status 400 if one of these fields is malformed
     */
    public @Nullable Forwarded read(RequestHead head, Peer proxy) throws Violation {
        Forwarding forwarding = reader.read(head.fields(), proxies::trust);
        if (forwarding == null) {
            return null;
        }
        ForwardedNode client = forwarding.client();
        Forwarding.Scheme scheme = forwarding.scheme();
        String authority = forwarding.authority(head.authority());
        return new Forwarded(
                authority == null ? head : head.sentTo(authority),
                proxy.proxyFor(
                        client == null ? proxy.remote() : address(client),
                        scheme == null ? proxy.secure() : scheme == Forwarding.Scheme.HTTPS));
    }

    private static SocketAddress address(ForwardedNode client) {
        InetAddress address = client.address();
        return address == null
                ? InetSocketAddress.createUnresolved(client.name(), client.port())
                : new InetSocketAddress(address, client.port());
    }
}

package io.penstock.limits;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * The proxies that may tell the server about their clients.
 *
 * @param networks of these proxies; empty if no proxy is trusted
 * @param fields by which they tell it
 * @param protocol whether each connection begins with a header of the PROXY protocol
 * @param headerTimeout from accept to the end of that header; then closed
 */
public record TrustedProxies(List<Network> networks, ForwardedFields fields, Switch protocol, Duration headerTimeout) {

    /** A family of fields. The other one is not looked at. */
    public enum ForwardedFields {
        /** {@code X-Forwarded-For}, {@code -Proto}, {@code -Host} and {@code -Port}. */
        X_FORWARDED,
        /** {@code Forwarded} (RFC 7239). */
        FORWARDED
    }

    public TrustedProxies {
        networks = List.copyOf(networks);
        if (protocol == Switch.ON && networks.isEmpty()) {
            throw new BadValueException(Key.PROXY_PROTOCOL, "needs " + Key.TRUSTED_PROXIES.id());
        }
        Check.positive(Key.PROXY_HEADER_TIMEOUT, headerTimeout);
    }

    static TrustedProxies of(Configuration given) {
        return new TrustedProxies(
                Network.list(given, Key.TRUSTED_PROXIES),
                Check.choice(Key.FORWARDED_FIELDS, given.text(Key.FORWARDED_FIELDS), ForwardedFields.class),
                Check.choice(Key.PROXY_PROTOCOL, given.text(Key.PROXY_PROTOCOL), Switch.class),
                given.duration(Key.PROXY_HEADER_TIMEOUT));
    }

    public static TrustedProxies defaults() {
        return of(Configuration.defaults());
    }

    /** Whether any proxy is trusted. */
    public boolean isOn() {
        return !networks.isEmpty();
    }

    /** Whether the peer of a connection is a trusted proxy. */
    public boolean trust(SocketAddress peer) {
        return peer instanceof InetSocketAddress inet && inet.getAddress() != null && trust(inet.getAddress());
    }

    /** Whether this address is that of a trusted proxy. */
    public boolean trust(InetAddress address) {
        return Network.anyHas(networks, address);
    }
}

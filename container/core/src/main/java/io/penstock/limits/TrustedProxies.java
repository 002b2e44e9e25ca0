package io.penstock.limits;

import io.penstock.address.Network;
import io.penstock.limits.ListenAddress.BindAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * The proxies that the server trusts. The server takes the addresses of clients and the requested URLs from the headers of these proxies.
 * {@link Key} explains the values.
 *
 * @param networks the networks of these proxies; may be empty
 */
public record TrustedProxies(
        List<Network> networks, Switch unix, ForwardedFields fields, Switch protocol, Duration headerTimeout) {
    private static final String UNIX = "unix";

    /** A family of header fields. The server uses one family, and ignores the other family. */
    public enum ForwardedFields {
        /** {@code X-Forwarded-For}, {@code -Proto}, {@code -Host} and {@code -Port}. */
        X_FORWARDED,
        /** {@code Forwarded} (RFC 7239). */
        FORWARDED
    }

    public TrustedProxies {
        networks = List.copyOf(networks);
        if (protocol == Switch.ON) {
            requireAny(networks, unix);
        }
    }

    static TrustedProxies of(Configuration given, Listen listen) {
        List<String> names = given.names(Key.TRUSTED_PROXIES);
        TrustedProxies proxies = new TrustedProxies(
                Configuration.networks(
                        Key.TRUSTED_PROXIES,
                        names.stream().filter(name -> !name.equals(UNIX)).toList()),
                names.contains(UNIX) ? Switch.ON : Switch.OFF,
                given.choice(Key.FORWARDED_FIELDS),
                given.choice(Key.PROXY_PROTOCOL),
                given.duration(Key.PROXY_HEADER_TIMEOUT));
        for (ListenAddress address : listen.addresses()) {
            if (address.proxyProtocol() == Switch.ON) {
                proxies.requireAt(address.bindAddress());
            }
        }
        return proxies;
    }

    private static void requireAny(List<Network> networks, Switch unix) {
        if (networks.isEmpty() && unix == Switch.OFF) {
            throw new BadValueException(Key.PROXY_PROTOCOL, "needs " + Key.TRUSTED_PROXIES.id());
        }
    }

    /** Throws an exception if a listener expects PROXY headers, but no trusted proxy can connect to the listener. */
    private void requireAt(BindAddress address) {
        boolean some = address instanceof BindAddress.Network
                ? !networks.isEmpty()
                : address instanceof BindAddress.UnixSocket ? unix == Switch.ON : isOn();
        if (!some) {
            String missing = address instanceof BindAddress.UnixSocket ? "the word " + UNIX : "a network";
            throw new BadValueException(
                    protocol == Switch.ON ? Key.PROXY_PROTOCOL : Key.LISTEN,
                    "expects PROXY headers at " + address + ", which needs " + missing + " in "
                            + Key.TRUSTED_PROXIES.id());
        }
    }

    /** Whether any proxy is trusted. */
    public boolean isOn() {
        return !networks.isEmpty() || unix == Switch.ON;
    }

    /** Whether the other end of a connection is a trusted proxy. */
    public boolean trust(SocketAddress peer) {
        return peer instanceof InetSocketAddress inet
                ? inet.getAddress() != null && trust(inet.getAddress())
                : peer instanceof UnixDomainSocketAddress && unix == Switch.ON;
    }

    /** Whether a trusted proxy has this address. */
    public boolean trust(InetAddress address) {
        return Network.anyHas(networks, address);
    }
}

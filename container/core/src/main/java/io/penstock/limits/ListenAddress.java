package io.penstock.limits;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * One configured listener.
 *
 * @param bindAddress the address or socket at which the server accepts connections
 * @param tls whether connections use TLS
 * @param proxyProtocol whether each connection begins with a PROXY header
 */
public record ListenAddress(BindAddress bindAddress, Switch tls, Switch proxyProtocol) {
    /** If {@link Key#LISTEN} has this value, there is only one listener, at {@link Key#HOST} and {@link Key#PORT}. */
    private static final String SHORT_FORM = "none";

    private static final int MAX_PORT = 65535;

    /**
     * The URL by which clients on this machine can connect to the listener. It has a slash at the end.
     *
     * @param bound the address to which the listener's socket is bound
     */
    public String url(InetSocketAddress bound) {
        String host = isEverywhere(bound) ? "localhost" : host(bound);
        return (tls == Switch.ON ? "https://" : "http://") + new BindAddress.Network(host, bound.getPort()) + "/";
    }

    /** Whether the listener is bound to all addresses of this machine. */
    public boolean isEverywhere(InetSocketAddress bound) {
        return List.of("0.0.0.0", "::").contains(host(bound))
                || bound.getAddress().isAnyLocalAddress();
    }

    private String host(InetSocketAddress bound) {
        return bindAddress instanceof BindAddress.Network network
                ? network.host()
                : bound.getAddress().getHostAddress();
    }

    static List<ListenAddress> of(Configuration given, Tls certificates) {
        Switch proxyProtocol = Check.choice(Key.PROXY_PROTOCOL, given.text(Key.PROXY_PROTOCOL), Switch.class);
        String urls = given.text(Key.LISTEN).strip();
        if (urls.equals(SHORT_FORM)) {
            Switch tls = certificates.isOn() ? Switch.ON : Switch.OFF;
            return List.of(new ListenAddress(shortForm(given), tls, proxyProtocol));
        }
        requireDefault(Key.HOST, given);
        requireDefault(Key.PORT, given);
        List<ListenAddress> all = new ArrayList<>();
        Set<String> known = new HashSet<>();
        for (String part : urls.split(",", -1)) {
            ListenUrl url = new ListenUrl(part.strip());
            ListenAddress address = url.read(proxyProtocol);
            if (address.tls == Switch.ON && !certificates.isOn()) {
                throw url.bad("needs a certificate: " + Tls.sources());
            }
            if (!isFreePort(address.bindAddress) && !known.add(address.bindAddress.toString())) {
                throw url.bad("is there twice");
            }
            all.add(address);
        }
        return List.copyOf(all);
    }

    private static BindAddress shortForm(Configuration given) {
        String host = given.text(Key.HOST);
        int port = given.number(Key.PORT);
        Check.notBlank(Key.HOST, host);
        Check.atLeast(Key.PORT, port, 0);
        Check.atMost(Key.PORT, port, MAX_PORT);
        return new BindAddress.Network(host, port);
    }

    private static void requireDefault(Key key, Configuration given) {
        Origin origin = given.setting(key).origin();
        if (!(origin instanceof Origin.ByDefault) && !(origin instanceof Origin.OfJar)) {
            throw new BadValueException(
                    Key.LISTEN,
                    "is used in place of " + Key.HOST.id() + " and " + Key.PORT.id() + ", but " + key.id()
                            + " is set, too, from " + origin);
        }
    }

    private static boolean isFreePort(BindAddress address) {
        return address instanceof BindAddress.Network network && network.port() == 0;
    }

    /** The configured URL of this listener, without options. */
    public String url() {
        return bindAddress instanceof BindAddress.Network
                ? (tls == Switch.ON ? "https://" : "http://") + bindAddress
                : bindAddress.toString();
    }
}

package io.penstock.limits;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
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
        Switch proxyProtocol = given.choice(Key.PROXY_PROTOCOL);
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

    /** An address at which the server listens, or a socket that it has inherited. {@code toString} returns the text for messages. */
    public sealed interface BindAddress {
        /** The default permissions of a Unix domain socket: access for the server's user and group. */
        Set<PosixFilePermission> MODE = Set.copyOf(PosixFilePermissions.fromString("rw-rw----"));

        /**
         * A network address.
         *
         * @param host the name or address to which the socket is bound
         * @param port the TCP port; 0 lets the system choose a free port
         */
        record Network(String host, int port) implements BindAddress {
            /** Resolves the host, and returns the socket address. */
            public InetSocketAddress resolved() {
                return new InetSocketAddress(host, port);
            }

            @Override
            public String toString() {
                return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
            }
        }

        /**
         * A Unix domain socket that the server creates.
         *
         * @param file the socket's file
         * @param mode the file's permissions, which decide who may connect
         */
        record UnixSocket(Path file, Set<PosixFilePermission> mode) implements BindAddress {
            public UnixSocket {
                mode = Set.copyOf(mode);
            }

            @Override
            public String toString() {
                return "unix:" + file;
            }
        }

        /** The listening socket that the process has inherited as its standard input. */
        record Inherited() implements BindAddress {
            @Override
            public String toString() {
                return "inherited:";
            }
        }

        /** Converts a network address, or the address of a Unix domain socket. */
        static BindAddress of(SocketAddress address) {
            if (address instanceof InetSocketAddress inet) {
                return new Network(inet.getHostString(), inet.getPort());
            } else if (address instanceof UnixDomainSocketAddress unix) {
                return new UnixSocket(unix.getPath(), MODE);
            }
            throw new IllegalArgumentException("Neither a network address nor a Unix domain socket: " + address);
        }
    }
}

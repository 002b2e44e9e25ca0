package io.penstock.exchange;

import io.penstock.reactor.Link;
import io.penstock.reactor.TlsSession;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The client of an exchange and its connection, as an application may see them. If a trusted proxy has sent the request, the client is the
 * proxy's client.
 *
 * <p>A Unix domain socket has no IP addresses and no ports: the texts are empty, and the ports are -1.
 *
 * @param connectionId unique within the server's life
 * @param secure whether the client has used an encrypted transport
 * @param tls null if the client itself has no TLS connection to this server. The TLS connection of a proxy is not shown to applications
 * @param encrypted whether the connection itself is encrypted
 */
public record Peer(
        String connectionId,
        SocketAddress remote,
        SocketAddress local,
        boolean secure,
        @Nullable TlsSession tls,
        boolean encrypted) {

    /** A connection without TLS. */
    public Peer(String connectionId, SocketAddress remote, SocketAddress local, boolean secure) {
        this(connectionId, remote, local, secure, null, secure);
    }

    /** The peer of a link. It is secure if the link is encrypted. */
    public static Peer of(String connectionId, Link link) {
        TlsSession tls = link.tls();
        return new Peer(connectionId, link.remote(), link.local(), tls != null, tls, tls != null);
    }

    /** The client for which a proxy has sent the request over this connection. */
    Peer proxyFor(SocketAddress client, boolean usedTls) {
        return new Peer(connectionId, client, local, usedTls, null, encrypted);
    }

    /** The client's IP address; null if it has none. */
    public @Nullable InetAddress remoteIp() {
        return remote instanceof InetSocketAddress inet ? inet.getAddress() : null;
    }

    /** The client's IP address in digits; empty if it has none. A proxy may send another identifier in place of the address. */
    public String remoteAddress() {
        return digits(remote);
    }

    /** The client's port; -1 if it has none, or if its proxy does not send it. */
    public int remotePort() {
        int port = port(remote);
        return port == 0 ? -1 : port;
    }

    /** The server's IP address of this connection, in digits; empty if it has none. */
    public String localAddress() {
        return digits(local);
    }

    /** The host name of the local IP address if no lookup is needed, else its digits; empty if the connection has no local IP address. */
    public String localName() {
        return local instanceof InetSocketAddress inet ? inet.getHostString() : "";
    }

    /** The server's port of this connection; -1 if it has none. */
    public int localPort() {
        return port(local);
    }

    private static String digits(SocketAddress address) {
        if (!(address instanceof InetSocketAddress inet)) {
            return "";
        }
        return inet.getAddress() == null
                ? inet.getHostString()
                : inet.getAddress().getHostAddress();
    }

    private static int port(SocketAddress address) {
        return address instanceof InetSocketAddress inet ? inet.getPort() : -1;
    }
}

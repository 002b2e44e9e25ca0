package io.penstock.exchange;

import io.penstock.reactor.Link;
import io.penstock.reactor.TlsSession;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The client of an exchange and the connection, as applications see them. If a trusted proxy has sent the request, {@code remote} and
 * {@code secure} describe the client of the proxy.
 *
 * <p>A Unix domain socket has no IP addresses and no ports. In this case, the methods that return an address as text return an empty
 * string, and the methods that return a port return -1.
 *
 * @param connectionId the name of the connection, which is unique while the server runs
 * @param remote the address of the client
 * @param local the address of the server
 * @param secure whether the client has used an encrypted transport
 * @param tls the TLS session of the client; null if the client has no TLS connection to this server. Applications do not see the TLS
 *     session of a proxy
 * @param encrypted whether the connection to this server is encrypted
 */
public record Peer(
        String connectionId,
        SocketAddress remote,
        SocketAddress local,
        boolean secure,
        @Nullable TlsSession tls,
        boolean encrypted) {

    /** Creates a peer without a TLS session. The component {@code encrypted} gets the value of {@code secure}. */
    public Peer(String connectionId, SocketAddress remote, SocketAddress local, boolean secure) {
        this(connectionId, remote, local, secure, null, secure);
    }

    /** Returns the peer of a link. The peer is secure if the link uses TLS. */
    public static Peer of(String connectionId, Link link) {
        TlsSession tls = link.tls();
        return new Peer(connectionId, link.remote(), link.local(), tls != null, tls, tls != null);
    }

    /** Returns the peer for a request that this peer, a proxy, has sent for {@code client}. */
    Peer proxyFor(SocketAddress client, boolean usedTls) {
        return new Peer(connectionId, client, local, usedTls, null, encrypted);
    }

    /** The client's IP address; null if the client has no IP address. */
    public @Nullable InetAddress remoteIp() {
        return remote instanceof InetSocketAddress inet ? inet.getAddress() : null;
    }

    /**
     * The client's IP address in digits; empty if the client has no address. If a proxy has sent another identifier in place of the
     * address, returns this identifier.
     */
    public String remoteAddress() {
        return digits(remote);
    }

    /** The client's port; -1 if the client has no port, or if the proxy does not send the port. */
    public int remotePort() {
        int port = port(remote);
        return port == 0 ? -1 : port;
    }

    /** The server's IP address of this connection, in digits; empty if the connection has no local IP address. */
    public String localAddress() {
        return digits(local);
    }

    /**
     * The host name of the local IP address if the name is known without a lookup. Otherwise the address in digits. Empty if the connection
     * has no local IP address.
     */
    public String localName() {
        return local instanceof InetSocketAddress inet ? inet.getHostString() : "";
    }

    /** The server's port of this connection; -1 if the connection has no local port. */
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

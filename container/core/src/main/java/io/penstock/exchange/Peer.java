package io.penstock.exchange;

import io.penstock.reactor.Link;
import io.penstock.reactor.TlsSession;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The connection an exchange came by, as far as an application may know it.
 *
 * <p>A Unix domain socket has neither IP addresses nor ports: the texts are empty there, and the ports -1.
 *
 * @param connectionId unique within the server's life
 * @param secure whether the transport is encrypted
 * @param tls null where there is none, or not on this connection
 */
public record Peer(
        String connectionId,
        SocketAddress remote,
        SocketAddress local,
        boolean secure,
        @Nullable TlsSession tls) {

    /** A connection without TLS of its own. */
    public Peer(String connectionId, SocketAddress remote, SocketAddress local, boolean secure) {
        this(connectionId, remote, local, secure, null);
    }

    /** The other end of a link. It is secure if the link encrypts. */
    public static Peer of(String connectionId, Link link) {
        TlsSession tls = link.tls();
        return new Peer(connectionId, link.remote(), link.local(), tls != null, tls);
    }

    /** The client's IP address; null where it has none. */
    public @Nullable InetAddress remoteIp() {
        return remote instanceof InetSocketAddress inet ? inet.getAddress() : null;
    }

    /** The client's IP address in digits; empty where it has none. */
    public String remoteAddress() {
        return digits(remote);
    }

    /** The client's port; -1 where it has none. */
    public int remotePort() {
        return port(remote);
    }

    /** The IP address that the client has connected to, in digits; empty where there is none. */
    public String localAddress() {
        return digits(local);
    }

    /** The name of that address if it is known without asking a name server, else its digits; empty where there is none. */
    public String localName() {
        return local instanceof InetSocketAddress inet ? inet.getHostString() : "";
    }

    /** The port that the client has connected to; -1 where there is none. */
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

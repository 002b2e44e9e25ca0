package io.penstock.exchange;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The connection an exchange came by, as far as an application may know it.
 *
 * @param connectionId unique within the server's life
 * @param secure whether the transport is encrypted
 * @param tls null where there is none, or not on this connection
 */
public record Peer(
        String connectionId,
        InetSocketAddress remote,
        InetSocketAddress local,
        boolean secure,
        @Nullable TlsSession tls) {

    /** A connection without TLS of its own. */
    public Peer(String connectionId, InetSocketAddress remote, InetSocketAddress local, boolean secure) {
        this(connectionId, remote, local, secure, null);
    }
}

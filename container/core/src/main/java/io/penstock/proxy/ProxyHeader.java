package io.penstock.proxy;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The content of a header of the PROXY protocol.
 *
 * @param source the client's address; null if the proxy uses the connection for itself
 * @param destination the address that the client has connected to; null if the header does not contain it
 */
record ProxyHeader(
        @Nullable InetSocketAddress source, @Nullable InetSocketAddress destination) {

    /** The header of a connection that keeps its own addresses. */
    static final ProxyHeader LOCAL = new ProxyHeader(null, null);

    /**
     * The header of a connection whose client has no known address. The client is not the proxy, so it must not count as trusted. It has the
     * name that RFC 7239 (section 6.2) gives to such clients.
     */
    static final ProxyHeader UNKNOWN = new ProxyHeader(InetSocketAddress.createUnresolved("unknown", 0), null);

    /** Thrown if the bytes are not a header. */
    static final class Malformed extends Exception {
        private static final long serialVersionUID = 1L;

        /** @param reason the reason for the operator. It must not contain received bytes */
        Malformed(String reason) {
            super(reason, null, false, false);
        }
    }
}

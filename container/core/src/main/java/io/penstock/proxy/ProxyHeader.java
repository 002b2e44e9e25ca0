package io.penstock.proxy;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The content of a header of the PROXY protocol.
 *
 * @param source the client's address; null if the proxy uses the connection for itself, or does not name the client
 * @param destination the address that the client has connected to; null if {@code source} is null
 */
record ProxyHeader(
        @Nullable InetSocketAddress source, @Nullable InetSocketAddress destination) {

    /** The header of a connection that keeps its own addresses. */
    static final ProxyHeader LOCAL = new ProxyHeader(null, null);

    /** Thrown if the bytes are not a header. */
    static final class Malformed extends Exception {
        private static final long serialVersionUID = 1L;

        /** @param reason the reason for the operator. It must not contain received bytes */
        Malformed(String reason) {
            super(reason, null, false, false);
        }
    }
}

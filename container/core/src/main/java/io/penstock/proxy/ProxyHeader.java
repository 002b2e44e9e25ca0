package io.penstock.proxy;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The content of a header of the PROXY protocol.
 *
 * @param source the client's address; null if the connection is the proxy's own, or if the proxy does not name the client
 * @param destination the address that the client has connected to; null if {@code source} is null
 */
record ProxyHeader(
        @Nullable InetSocketAddress source, @Nullable InetSocketAddress destination) {

    /** The header of a connection whose own addresses count. */
    static final ProxyHeader LOCAL = new ProxyHeader(null, null);

    /** The text or the bytes are no header. */
    static final class Malformed extends Exception {
        private static final long serialVersionUID = 1L;

        /** @param reason for the operator; must quote nothing that was received */
        Malformed(String reason) {
            super(reason, null, false, false);
        }
    }
}

package io.penstock.proxy;

import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * What the header of the PROXY protocol says about a connection.
 *
 * @param source the client; null if the connection is the proxy's own, or if the proxy does not tell
 * @param destination that the client has connected to; null as the source
 */
record ProxyHeader(
        @Nullable InetSocketAddress source, @Nullable InetSocketAddress destination) {

    /** The addresses are those of the connection itself. */
    static final ProxyHeader LOCAL = new ProxyHeader(null, null);

    /** Text or bytes that are no header. */
    static final class Malformed extends Exception {
        private static final long serialVersionUID = 1L;

        /** @param reason for the operator; quotes nothing of what has come */
        Malformed(String reason) {
            super(reason, null, false, false);
        }
    }
}

package io.penstock.part;

import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * The certificates and keys of an embedding program, with its rules for TLS: protocols, cipher suites, certificates of clients.
 *
 * <p>Thread: any of the server that moves bytes; nothing here blocks.
 */
@FunctionalInterface
public interface TlsIdentity {

    /**
     * Makes an engine in server mode, for one connection. The server sets the names of protocols (ALPN), and nothing else.
     *
     * @param serverName the name that the client has sent (SNI); null if it has sent none, or if the name does not decide
     */
    SSLEngine engine(@Nullable String serverName);

    /**
     * Whether the server name decides which engine a client gets. Only then the first message of a client is read before it gets an engine.
     */
    default boolean nameDecides() {
        return false;
    }
}

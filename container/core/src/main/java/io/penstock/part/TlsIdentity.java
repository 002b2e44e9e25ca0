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
     * @param serverName that the client has sent (SNI); null if it has sent none, or if the name does not decide
     */
    SSLEngine engine(@Nullable String serverName);

    /** Whether the name decides on the engine. Only then the first message of each client is read before it gets one. */
    default boolean nameDecides() {
        return false;
    }
}

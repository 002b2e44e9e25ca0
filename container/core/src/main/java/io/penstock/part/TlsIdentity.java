package io.penstock.part;

import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * The certificates and keys of an embedding program, and its rules for TLS: protocols, cipher suites, client certificates.
 *
 * <p>Thread: any, including reactors, so no method may block.
 */
@FunctionalInterface
public interface TlsIdentity {

    /**
     * Makes an engine in server mode, for one connection. Afterwards the server sets the application protocols (ALPN) of the engine, and
     * changes no other setting.
     *
     * @param serverName the name that the client has sent (SNI); null if the client has sent no name, or if {@link #nameDecides} returns
     *     false
     */
    SSLEngine engine(@Nullable String serverName);

    /**
     * Whether the client's server name decides which engine the client gets. If so, the server reads the client's first message before it
     * asks for an engine.
     */
    default boolean nameDecides() {
        return false;
    }
}

package io.penstock.tls;

import javax.net.ssl.SSLEngine;

/**
 * The identity of a listener with TLS, and its rules: certificates, protocols, cipher suites, clients' certificates.
 *
 * <p>Thread: any reactor; nothing here blocks.
 */
@FunctionalInterface
public interface TlsEngines {

    /**
     * Makes an engine in server mode, for one connection. Its parameters are set, but for the names of the protocols (ALPN), which the layer
     * sets.
     */
    SSLEngine create();
}

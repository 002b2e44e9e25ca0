package io.penstock.tls;

import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;

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

    /**
     * The hosts for which a handshake was made: those that the certificate covers and whose rules are the ones that the client has met. The
     * protocol asks for each request, on the reactor. If no host has rules of its own, any.
     *
     * @param session of a complete handshake with an engine of this object
     */
    default Predicate<String> hosts(SSLSession session) {
        return host -> true;
    }

    /** An identity whose hosts are not all alike; both parts are called as the methods here. */
    static TlsEngines of(Supplier<SSLEngine> engines, Function<SSLSession, Predicate<String>> hosts) {
        return new TlsEngines() {
            @Override
            public SSLEngine create() {
                return engines.get();
            }

            @Override
            public Predicate<String> hosts(SSLSession session) {
                return hosts.apply(session);
            }
        };
    }
}

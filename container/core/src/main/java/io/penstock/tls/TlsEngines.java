package io.penstock.tls;

import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

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

    /**
     * Whether challenges of an authority are open ({@code tls-alpn-01}, RFC 8737). Only then the first message of each client is read before it
     * gets an engine.
     */
    default boolean hasChallenges() {
        return false;
    }

    /**
     * The engine for a client that checks the challenge of a host, with its protocols set; null if none is open for that host.
     *
     * @param host as the client names it
     */
    default @Nullable SSLEngine challenge(String host) {
        return null;
    }

    /** An identity whose hosts are not all alike, and perhaps open challenges; all parts are called as the methods here. */
    static TlsEngines of(
            Supplier<SSLEngine> engines,
            Function<SSLSession, Predicate<String>> hosts,
            BooleanSupplier hasChallenges,
            Function<String, @Nullable SSLEngine> challenges) {
        return new TlsEngines() {
            @Override
            public SSLEngine create() {
                return engines.get();
            }

            @Override
            public Predicate<String> hosts(SSLSession session) {
                return hosts.apply(session);
            }

            @Override
            public boolean hasChallenges() {
                return hasChallenges.getAsBoolean();
            }

            @Override
            public @Nullable SSLEngine challenge(String host) {
                return challenges.apply(host);
            }
        };
    }
}

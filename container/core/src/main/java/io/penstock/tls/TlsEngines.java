package io.penstock.tls;

import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * Makes the TLS engines for the connections of a listener. The engines have the listener's certificates, TLS versions, cipher suites, and
 * rules for client certificates.
 *
 * <p>Thread: the reactors. No method blocks.
 */
@FunctionalInterface
public interface TlsEngines {

    /**
     * Makes an engine in server mode for one connection. All parameters of the engine are set, except the names of the protocols (ALPN).
     * The {@link TlsLayer} sets these names.
     *
     * @param serverName the host name that the client has sent (SNI); null if the client has sent no name, or if {@link #nameDecides} is
     *     false
     */
    SSLEngine create(@Nullable String serverName);

    /**
     * Whether the server name (SNI) decides which engine a client gets. If so, the server reads the first message of a client before it
     * makes the engine.
     */
    default boolean nameDecides() {
        return false;
    }

    /**
     * Returns a test that decides for which hosts a connection may carry requests. The test can refuse a host for two reasons: the
     * certificate of the connection does not cover the host, or the handshake used another client certificate rule than the rule of the
     * host. The default implementation accepts all hosts. The reactor applies the test to the host of each request. The tested text is the
     * host that the client sent, without the port; it is empty if the request names no host.
     *
     * @param engine an engine of this object, with a complete handshake
     */
    default Predicate<String> hosts(SSLEngine engine) {
        return host -> true;
    }

    /**
     * Whether challenges of a certificate authority are open ({@code tls-alpn-01}, RFC 8737). If so, the server reads the first message of
     * each client before it makes the engine.
     */
    default boolean hasChallenges() {
        return false;
    }

    /**
     * Makes the engine for a client that checks the challenge of a host. The protocols of the engine are set. Returns null if no challenge
     * is open for this host.
     *
     * @param host the host name that the client has sent
     */
    default @Nullable SSLEngine challenge(String host) {
        return null;
    }

    /** Makes an object of this interface from functions. Each parameter implements one method. */
    static TlsEngines of(
            Function<@Nullable String, SSLEngine> engines,
            BooleanSupplier nameDecides,
            Function<SSLEngine, Predicate<String>> hosts,
            BooleanSupplier hasChallenges,
            Function<String, @Nullable SSLEngine> challenges) {
        return new TlsEngines() {
            @Override
            public SSLEngine create(@Nullable String serverName) {
                return engines.apply(serverName);
            }

            @Override
            public boolean nameDecides() {
                return nameDecides.getAsBoolean();
            }

            @Override
            public Predicate<String> hosts(SSLEngine engine) {
                return hosts.apply(engine);
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

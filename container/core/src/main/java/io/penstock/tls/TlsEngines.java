package io.penstock.tls;

import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a listener with TLS, and its rules: certificates, protocols, cipher suites, clients' certificates.
 *
 * <p>Thread: any reactor; nothing here blocks.
 */
@FunctionalInterface
public interface TlsEngines {

    /**
     * Makes an engine in server mode, for one connection. All its parameters are set, except for the names of the protocols (ALPN): the
     * layer sets these.
     *
     * @param serverName the name that the client has sent (SNI); null if it has sent none, or if the name does not decide
     */
    SSLEngine create(@Nullable String serverName);

    /**
     * Whether the server name decides which engine a client gets. Only then, or for challenges, the first message of a client is read
     * before it gets an engine.
     */
    default boolean nameDecides() {
        return false;
    }

    /**
     * The hosts for which a handshake was made: the hosts that the certificate covers and whose rules the client has met. If no host has
     * its own rules, all hosts are allowed. The protocol tests the host of each request on the reactor. The tested text is the host as the
     * client sent it, without a port; it is empty if the request names no host.
     *
     * @param engine of this object, with a complete handshake
     */
    default Predicate<String> hosts(SSLEngine engine) {
        return host -> true;
    }

    /**
     * Whether challenges of an authority are open ({@code tls-alpn-01}, RFC 8737). If so, the first message of each client is read before
     * it gets an engine.
     */
    default boolean hasChallenges() {
        return false;
    }

    /**
     * The engine for a client that checks the challenge of a host, with its protocols set; null if no challenge is open for that host.
     *
     * @param host as the client names it
     */
    default @Nullable SSLEngine challenge(String host) {
        return null;
    }

    /** An identity whose hosts have different rules, perhaps with open challenges. Each parameter implements one method. */
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

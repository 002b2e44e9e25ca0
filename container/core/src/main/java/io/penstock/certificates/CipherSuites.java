package io.penstock.certificates;

import io.penstock.limits.HelpPage;
import io.penstock.limits.Key;
import io.penstock.limits.Tls;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLContext;

/** Chooses the cipher suites of a server. */
final class CipherSuites {
    /**
     * The default suites in the order of preference. All of them have forward secrecy and authenticated encryption (RFC 9325 section 4.2).
     */
    private static final List<String> DEFAULT = List.of(
            "TLS_AES_128_GCM_SHA256",
            "TLS_AES_256_GCM_SHA384",
            "TLS_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
            "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
            "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

    private CipherSuites() {}

    /**
     * Returns the cipher suites in the order of the server's preference.
     *
     * @throws TlsSetupException if the JDK does not have a configured suite, or if a protocol or a certificate has no usable suite
     */
    static List<String> of(Tls tls, SSLContext context, List<Identity> identities) throws TlsSetupException {
        Set<String> known =
                new HashSet<>(List.of(context.getSupportedSSLParameters().getCipherSuites()));
        known.remove("TLS_EMPTY_RENEGOTIATION_INFO_SCSV"); // a signal to the server, not a cipher suite
        List<String> chosen;
        if (tls.ciphers().isEmpty()) {
            chosen = DEFAULT.stream().filter(known::contains).toList();
        } else {
            chosen = tls.ciphers();
            requireKnown(chosen, known);
        }
        List<String> used = new ArrayList<>(chosen);
        used.removeIf(suite -> !tls.protocols().contains(protocol(suite)));
        for (Tls.Protocol protocol : tls.protocols()) {
            if (used.stream().noneMatch(suite -> protocol(suite) == protocol)) {
                throw refusal("has no cipher suite for " + protocol.id() + "; add one, or remove " + protocol.id()
                        + " from " + Key.TLS_PROTOCOLS.id());
            }
        }
        for (Identity identity : identities) {
            for (Tls.Protocol protocol : tls.protocols()) {
                requireFor(identity, protocol, used);
            }
        }
        return used;
    }

    private static void requireKnown(List<String> suites, Set<String> known) throws TlsSetupException {
        for (String suite : suites) {
            if (!known.contains(suite)) {
                throw refusal(
                        "this Java has no cipher suite '" + suite + "'; a name looks like TLS_AES_128_GCM_SHA256");
            }
            if (suite.contains("_anon_") || suite.contains("_NULL_")) {
                throw refusal("'" + suite + "' is not secure; attackers could read or change the data of clients");
            }
        }
    }

    /**
     * Checks that each TLS version has a suite for each certificate. Without this check at the start, only some clients would fail, and
     * only later.
     */
    private static void requireFor(Identity identity, Tls.Protocol protocol, List<String> suites)
            throws TlsSetupException {
        boolean usable = suites.stream()
                .anyMatch(suite -> protocol(suite) == protocol
                        && (protocol == Tls.Protocol.TLS_1_3 || identity.kind().fits(suite)));
        if (!usable) {
            throw refusal("has no cipher suite of " + protocol.id() + " for the key of " + identity.source()
                    + ", which is " + identity.kind().words() + "; add one, or remove " + protocol.id() + " from "
                    + Key.TLS_PROTOCOLS.id() + HelpPage.CIPHER_SUITES.more());
        }
    }

    /** Returns the TLS version of a suite. The name of a TLS 1.3 suite does not contain the key exchange (RFC 8446 appendix B.4). */
    private static Tls.Protocol protocol(String suite) {
        return suite.contains("_WITH_") ? Tls.Protocol.TLS_1_2 : Tls.Protocol.TLS_1_3;
    }

    private static TlsSetupException refusal(String problem) {
        return new TlsSetupException(Key.TLS_CIPHERS.id() + ": " + problem, null);
    }
}

package io.penstock.tls;

import io.penstock.reactor.TlsSession;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/** Reads the values of a TLS session that applications can read. */
final class SessionFacts {
    private SessionFacts() {}

    /** Returns the session of an engine. The handshake of the engine must be complete. */
    static TlsSession of(SSLEngine engine, TlsEngines engines) {
        SSLSession session = engine.getSession();
        String suite = session.getCipherSuite();
        return new TlsSession(
                session.getProtocol(),
                suite,
                keySize(suite),
                HexFormat.of().formatHex(session.getId()),
                certificates(engine, session),
                engines.hosts(engine));
    }

    private static List<X509Certificate> certificates(SSLEngine engine, SSLSession session) {
        if (!engine.getNeedClientAuth() && !engine.getWantClientAuth()) {
            return List.of();
        }
        List<X509Certificate> chain = new ArrayList<>();
        try {
            for (Certificate certificate : session.getPeerCertificates()) {
                if (certificate instanceof X509Certificate known) {
                    chain.add(known);
                }
            }
        } catch (SSLPeerUnverifiedException e) {
            // The client has sent no certificate.
            return List.of();
        }
        return chain;
    }

    /**
     * The length of the key in bits. The JDK does not provide this number, so it is taken from the standard name of the cipher suite. The
     * result is 0 if the name does not contain the length.
     */
    static int keySize(String suite) {
        if (suite.contains("_256_") || suite.contains("_CHACHA20_")) {
            return 256;
        }
        if (suite.contains("_128_")) {
            return 128;
        }
        return suite.contains("_3DES_") ? 168 : 0;
    }
}

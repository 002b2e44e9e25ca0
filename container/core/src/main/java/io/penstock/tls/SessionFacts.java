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

/** The values of an engine's session that applications may see. */
final class SessionFacts {
    private SessionFacts() {}

    /** The facts of an engine whose handshake is complete. */
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
            return List.of(); // the client has no certificate
        }
        return chain;
    }

    /** Bits of the key, taken from the suite's standard name, since the JDK does not provide them. 0 if the name does not contain them. */
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

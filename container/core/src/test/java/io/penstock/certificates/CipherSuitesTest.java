package io.penstock.certificates;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.HelpPage;
import io.penstock.limits.Tls.Protocol;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the TLS versions and the cipher suites that clients can use. */
class CipherSuitesTest {
    private static final Issued RSA = Issued.self(Issued.RSA, "a.example");
    private static final Issued EC = Issued.self(Issued.EC, "a.example");

    @TempDir
    Path folder;

    private static String negotiatedSuite(ServerCertificates certificates, String protocol, String... suites)
            throws SSLException {
        return Handshake.of(certificates, Handshake.anyClient(), null, parameters -> {
                    parameters.setProtocols(new String[] {protocol});
                    if (suites.length > 0) {
                        parameters.setCipherSuites(suites);
                    }
                })
                .client()
                .getCipherSuite();
    }

    private void assertFails(String message, TlsFiles files) {
        assertEquals(message, assertThrows(TlsSetupException.class, files::open).getMessage());
    }

    @Test
    void theDefaultCipherSuitesHaveForwardSecrecyAndAuthenticatedEncryption() throws Exception {
        SSLEngine engine = new TlsFiles(folder).with("a", EC).open().engine(null);
        assertEquals(List.of("TLSv1.3", "TLSv1.2"), List.of(engine.getEnabledProtocols()));
        List<String> suites = List.of(engine.getEnabledCipherSuites());
        assertTrue(suites.contains("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"), suites.toString());
        for (String suite : suites) {
            assertTrue(
                    suite.matches("TLS_(ECDHE_(EC|R)DSA_WITH_|ECDHE_RSA_WITH_)?(AES|CHACHA20).*(GCM|POLY1305)_SHA.*"),
                    suite);
        }
    }

    @Test
    void aClientWithOnlyOldCipherSuitesIsRefused() throws Exception {
        ServerCertificates certificates = new TlsFiles(folder).with("a", RSA).open();
        for (String suite : List.of(
                "TLS_RSA_WITH_AES_128_GCM_SHA256",
                "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256",
                "TLS_DHE_RSA_WITH_AES_128_GCM_SHA256")) {
            assertThrows(SSLException.class, () -> negotiatedSuite(certificates, "TLSv1.2", suite), suite);
        }
    }

    @Test
    void theServerChoosesTheFirstConfiguredCipherSuiteThatTheClientSupports() throws Exception {
        ServerCertificates certificates = new TlsFiles(folder)
                .with("a", RSA)
                .ciphers(
                        "TLS_AES_256_GCM_SHA384",
                        "TLS_AES_128_GCM_SHA256",
                        "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
                        "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256")
                .open();
        assertEquals(
                "TLS_AES_256_GCM_SHA384",
                negotiatedSuite(certificates, "TLSv1.3", "TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384"));
        assertEquals(
                "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
                negotiatedSuite(
                        certificates,
                        "TLSv1.2",
                        "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
                        "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"));
    }

    @Test
    void aSingleTlsVersionCanBeConfigured() throws Exception {
        ServerCertificates new13 =
                new TlsFiles(folder).with("a", EC).protocols(Protocol.TLS_1_3).open();
        assertEquals("TLS_AES_128_GCM_SHA256", negotiatedSuite(new13, "TLSv1.3"));
        assertThrows(SSLException.class, () -> negotiatedSuite(new13, "TLSv1.2"));
        ServerCertificates old12 =
                new TlsFiles(folder).with("a", EC).protocols(Protocol.TLS_1_2).open();
        assertEquals("TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", negotiatedSuite(old12, "TLSv1.2"));
        assertThrows(SSLException.class, () -> negotiatedSuite(old12, "TLSv1.3"));
    }

    @Test
    void unknownAndMissingCipherSuitesAreReported() {
        assertFails(
                "tls-ciphers: this Java has no cipher suite 'ECDHE-RSA-AES128-GCM-SHA256'; a name looks like"
                        + " TLS_AES_128_GCM_SHA256",
                new TlsFiles(folder).with("a", EC).ciphers("ECDHE-RSA-AES128-GCM-SHA256"));
        assertFails(
                "tls-ciphers: has no cipher suite for TLSv1.3; add one, or remove TLSv1.3 from tls-protocols",
                new TlsFiles(folder).with("a", EC).ciphers("TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"));
        assertFails(
                "tls-ciphers: has no cipher suite for TLSv1.2; add one, or remove TLSv1.2 from tls-protocols",
                new TlsFiles(folder).with("a", EC).ciphers("TLS_AES_128_GCM_SHA256"));
        assertFails(
                noSuiteFor("a", "EC P-256"),
                new TlsFiles(folder)
                        .with("a", EC)
                        .protocols(Protocol.TLS_1_2)
                        .ciphers("TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"));
    }

    private String noSuiteFor(String file, String kind) {
        return "tls-ciphers: has no cipher suite of TLSv1.2 for the key of " + folder.resolve(file + ".pem")
                + ", which is " + kind + "; add one, or remove TLSv1.2 from tls-protocols"
                + HelpPage.CIPHER_SUITES.more();
    }

    /** Without a cipher suite for one kind of key, some clients with TLS 1.2 could not connect. So the server refuses to start. */
    @Test
    void theConfigurationIsRefusedIfATlsVersionHasNoCipherSuiteForAKindOfKey() throws Exception {
        assertFails(
                noSuiteFor("a", "EC P-256"),
                new TlsFiles(folder)
                        .with("a", EC)
                        .ciphers("TLS_AES_128_GCM_SHA256", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"));
        assertFails(
                noSuiteFor("b", "RSA"),
                new TlsFiles(folder)
                        .with("a", EC)
                        .with("b", RSA)
                        .ciphers("TLS_AES_128_GCM_SHA256", "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"));
        ServerCertificates both = new TlsFiles(folder)
                .with("a", EC)
                .with("b", RSA)
                .ciphers(
                        "TLS_AES_128_GCM_SHA256",
                        "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
                        "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256")
                .open();
        assertEquals("TLS_AES_128_GCM_SHA256", negotiatedSuite(both, "TLSv1.3"));
        assertTrue(negotiatedSuite(both, "TLSv1.2").endsWith("_WITH_AES_128_GCM_SHA256"));
    }

    @Test
    void anInsecureCipherSuiteInTheConfigurationIsRefused() {
        TlsSetupException failure = assertThrows(
                TlsSetupException.class,
                new TlsFiles(folder).with("a", EC).ciphers("TLS_AES_128_GCM_SHA256", "TLS_RSA_WITH_NULL_SHA256")::open);
        assertTrue(failure.getMessage().contains("'TLS_RSA_WITH_NULL_SHA256'"), failure.getMessage());
    }
}

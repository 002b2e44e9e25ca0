package io.penstock.tls;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.certificates.AnyCertificate;
import io.penstock.certificates.TlsChallenges;
import io.penstock.http1.RawClient;
import io.penstock.http1.RecordedEvents;
import io.penstock.http1.Site;
import io.penstock.http1.WireConfig;
import io.penstock.http1.WireServer;
import io.penstock.server.Listener;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks how the server responds to a {@code tls-alpn-01} challenge in the handshake (RFC 8737). The certificate authority and all other
 * clients use the same port. The other clients must still get the usual certificate.
 */
class Rfc8737TlsAlpnChallengeTest {
    private static final String ANSWER = "token.thumbprint";
    private static final String ACME_IDENTIFIER = "1.3.6.1.5.5.7.1.31";
    private static final int PATIENCE_MILLIS = 60_000;

    private final TlsChallenges challenges = new TlsChallenges();
    private final RecordedEvents events = new RecordedEvents();
    private WireServer server;

    @BeforeEach
    void startWithAChallenge() throws Exception {
        startServer(rules -> {});
        challenges.put("a.example", ANSWER);
    }

    private void startServer(Consumer<SSLParameters> rules) throws Exception {
        TlsEngines usual = TestIdentity.engines(rules);
        TlsEngines engines = TlsEngines.of(
                usual::create, usual::nameDecides, usual::hosts, () -> !challenges.isEmpty(), challenges::engine);
        server = new WireServer(
                new WireConfig().overTls(),
                new Site(),
                events,
                layer -> List.of(Listener.tls(new InetSocketAddress("127.0.0.1", 0), engines)));
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    private SSLSocket connect(String version, String host, String... protocols) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new AnyCertificate()}, null);
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", server.port(0));
        socket.setSoTimeout(PATIENCE_MILLIS);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setProtocols(new String[] {version});
        parameters.setServerNames(List.<SNIServerName>of(new SNIHostName(host)));
        parameters.setApplicationProtocols(protocols);
        socket.setSSLParameters(parameters);
        return socket;
    }

    @ParameterizedTest
    @CsvSource({"TLSv1.3, a.example", "TLSv1.2, a.example", "TLSv1.3, A.Example"})
    void theCertificateAuthorityGetsTheChallengeCertificateAndThenACloseNotify(String version, String host)
            throws Exception {
        try (SSLSocket socket = connect(version, host, "acme-tls/1")) {
            socket.startHandshake();
            assertEquals("acme-tls/1", socket.getApplicationProtocol());
            assertEquals(1, socket.getSession().getPeerCertificates().length);
            X509Certificate got = (X509Certificate) socket.getSession().getPeerCertificates()[0];
            got.verify(got.getPublicKey());
            assertEquals(List.of(List.of(2, "a.example")), List.copyOf(got.getSubjectAlternativeNames()));
            assertEquals(Set.of(ACME_IDENTIFIER), got.getCriticalExtensionOIDs());
            byte[] value = got.getExtensionValue(ACME_IDENTIFIER);
            assertArrayEquals(new byte[] {4, 34, 4, 32}, Arrays.copyOf(value, 4));
            assertArrayEquals(
                    MessageDigest.getInstance("SHA-256").digest(ANSWER.getBytes(StandardCharsets.US_ASCII)),
                    Arrays.copyOfRange(value, 4, value.length));
            assertEquals(-1, socket.getInputStream().read());
        }
        events.awaitClosed(1);
        assertEquals(List.of(), events.failed());
    }

    @Test
    void noClientCertificateIsRequiredFromTheCertificateAuthority() throws Exception {
        server.close();
        startServer(rules -> rules.setNeedClientAuth(true));
        try (SSLSocket socket = connect("TLSv1.2", "a.example", "acme-tls/1")) {
            socket.startHandshake();
            assertEquals("acme-tls/1", socket.getApplicationProtocol());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"b.example", "www.a.example"})
    void aChallengeHandshakeForAHostWithoutAChallengeIsRefused(String host) throws Exception {
        try (SSLSocket socket = connect("TLSv1.3", host, "acme-tls/1")) {
            SSLException refused = assertThrows(SSLException.class, socket::startHandshake);
            assertTrue(refused.getMessage().contains("no_application_protocol"), refused.getMessage());
        }
    }

    @Test
    void otherClientsOfTheHostGetTheUsualServerCertificate() throws Exception {
        for (List<String> protocols : List.of(
                List.of("http/1.1"),
                List.of("acme-tls/1", "http/1.1"),
                List.of("http/1.1", "acme-tls/1"),
                List.<String>of())) {
            try (SSLSocket socket = connect("TLSv1.3", "a.example", protocols.toArray(String[]::new))) {
                socket.startHandshake();
                X509Certificate got = (X509Certificate) socket.getSession().getPeerCertificates()[0];
                assertEquals(
                        "CN=Penstock test server", got.getSubjectX500Principal().getName());
                assertEquals(protocols.isEmpty() ? "" : "http/1.1", socket.getApplicationProtocol());
            }
        }
    }

    @Test
    void aChallengeHandshakeAfterTheEndOfTheChallengeIsRefused() throws Exception {
        challenges.remove("a.example");
        try (SSLSocket socket = connect("TLSv1.3", "a.example", "acme-tls/1")) {
            SSLException refused = assertThrows(SSLException.class, socket::startHandshake);
            assertTrue(refused.getMessage().contains("no_application_protocol"), refused.getMessage());
        }
    }

    /**
     * While a challenge is pending, the server reads the ClientHello before it creates an engine. The handshakes of other clients must
     * succeed for each position at which their ClientHello is split.
     */
    @Test
    void handshakesOfOtherClientsSucceedForEachSplitPositionOfTheClientHello() throws Exception {
        int length;
        try (RawClient raw = server.connectWithoutLayer(0)) {
            length = new EngineClient(raw).hello().length;
        }
        for (int cut = 1; cut < length; cut += 7) {
            int at = cut;
            try (RawClient raw = server.connectWithoutLayer(0)) {
                boolean[] isFirst = {true};
                EngineClient client = new EngineClient(raw).over(records -> {
                    int part = isFirst[0] ? at : 0;
                    isFirst[0] = false;
                    raw.send(Arrays.copyOf(records, part));
                    raw.send(Arrays.copyOfRange(records, part, records.length));
                });
                client.handshake().send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
                assertTrue(client.exactly(12).startsWith("HTTP/1.1 "));
            }
        }
    }
}

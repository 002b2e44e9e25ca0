package io.penstock.standalone;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.Penstock;
import io.penstock.limits.HelpPage;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.OcspAuthority;
import io.penstock.testing.Program;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.PKIXRevocationChecker;
import java.security.cert.TrustAnchor;
import java.security.cert.X509CertSelector;
import java.security.cert.X509Certificate;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import javax.net.ssl.CertPathTrustManagerParameters;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests OCSP stapling. The authority and the answers of its responder are those of OpenSSL. */
@NeedsProgram(Program.OPENSSL)
class OcspStaplingTest {
    private static final String SWITCH = "jdk.tls.server.enableStatusRequestExtension";

    @TempDir
    Path folder;

    private OcspAuthority authority;

    @BeforeEach
    void makeTheAuthorityAndItsResponder() throws Exception {
        authority = new OcspAuthority(folder);
    }

    @AfterEach
    void stopTheResponder() {
        authority.close();
    }

    private Penstock server() throws Exception {
        return Penstock.builder()
                .port(0)
                .set("host", "127.0.0.1")
                .set("tls-cert", authority.chain().toString())
                .set("tls-reload-interval", "0s")
                .set("tls-ocsp-stapling", "on")
                .start();
    }

    private static void awaitAnswers(Penstock server) {
        await().until(() -> server.gauges().get("ocsp-answers-missing") == 0);
    }

    /** Whether the server's thread that has asked the responder has ended. */
    private static boolean isOver() {
        return Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("ocsp"));
    }

    private X509Certificate certificate() throws IOException, GeneralSecurityException {
        try (InputStream in = Files.newInputStream(authority.certificate())) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    /** A client that trusts the authority. */
    private SSLContext client(boolean needsStatus) throws IOException, GeneralSecurityException {
        PKIXBuilderParameters rules =
                new PKIXBuilderParameters(Set.of(new TrustAnchor(certificate(), null)), new X509CertSelector());
        rules.setRevocationEnabled(false);
        if (needsStatus) {
            CertPathBuilder builder = CertPathBuilder.getInstance("PKIX");
            PKIXRevocationChecker checker = (PKIXRevocationChecker) builder.getRevocationChecker();
            checker.setOptions(EnumSet.of(PKIXRevocationChecker.Option.NO_FALLBACK));
            rules.addCertPathChecker(checker);
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(new CertPathTrustManagerParameters(rules));
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    /** Makes a handshake, and returns the number of answers in it. */
    private static int staples(Penstock server, SSLContext client, String protocol) throws IOException {
        try (SSLSocket socket =
                (SSLSocket) client.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(60_000);
            socket.setEnabledProtocols(new String[] {protocol});
            socket.startHandshake();
            List<byte[]> found = ((ExtendedSSLSession) socket.getSession()).getStatusResponses();
            return (int) found.stream().filter(one -> one.length > 0).count();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void aClientThatNeedsTheStatusGetsItFromTheHandshakeWhileTheResponderIsDown(String protocol) throws Exception {
        try (Penstock server = server()) {
            awaitAnswers(server);
            authority.stopResponder();
            assertEquals(1, staples(server, client(true), protocol));
            assertEquals(1, authority.questions());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void handshakesDoNotWaitForAResponderThatDoesNotAnswer(String protocol) throws Exception {
        authority.hold();
        try (Penstock server = server()) {
            await().until(() -> authority.questions() == 1);
            for (int i = 0; i < 5; i++) {
                assertEquals(0, staples(server, client(false), protocol));
            }
            assertEquals(0, authority.answered());
            assertEquals(1, authority.questions(), "handshakes must not ask");
            assertEquals(1, server.gauges().get("ocsp-answers-missing"));
            authority.release();
            awaitAnswers(server);
            assertEquals(1, staples(server, client(false), protocol));
        }
    }

    @Test
    void aResponderThatIsDownCostsOnlyTheStaple() throws Exception {
        authority.stopResponder();
        try (Penstock server = server()) {
            assertEquals(0, staples(server, client(false), "TLSv1.3"));
            SSLContext strict = client(true);
            assertThrows(SSLException.class, () -> staples(server, strict, "TLSv1.3"));
        }
    }

    @Test
    void theNewCertificateAfterARenewalHasItsOwnStaple() throws Exception {
        try (Penstock server = server()) {
            awaitAnswers(server);
            authority.issue("1002", true);
            server.reloadCertificates();
            awaitAnswers(server);
            assertEquals(1, staples(server, client(true), "TLSv1.3"));
            assertEquals(2, authority.questions());
        }
    }

    @Test
    void theStatementThatACertificateIsRevokedIsNotStapled() throws Exception {
        authority.revoke("1001");
        try (Penstock server = server()) {
            await().until(() -> authority.answered() == 1 && isOver());
            assertEquals(0, staples(server, client(false), "TLSv1.3"));
            assertEquals(1, server.gauges().get("ocsp-answers-missing"));
        }
    }

    @Test
    void aCertificateWithoutAResponderIsServedWithoutAStaple() throws Exception {
        authority.issue("1001", false);
        try (Penstock server = server()) {
            assertEquals(0, staples(server, client(false), "TLSv1.3"));
            assertEquals(0, server.gauges().get("ocsp-answers-missing"));
        }
        assertEquals(0, authority.questions());
    }

    @Test
    void theSwitchOfTheJdkIsOffAgainForTheOtherServersOfTheProcess() throws Exception {
        try (Penstock server = server()) {
            assertNull(System.getProperty(SWITCH));
            awaitAnswers(server);
        }
    }

    @Test
    void theServerDoesNotStartIfTheProgramHasSetTheSwitchOfTheJdk() {
        System.setProperty(SWITCH, "true");
        try {
            Exception refusal = assertThrows(Exception.class, this::server);
            assertEquals(
                    "tls-ocsp-stapling: the system property " + SWITCH + " is set, too; the server sets it itself"
                            + HelpPage.OCSP.more(),
                    refusal.getMessage());
        } finally {
            System.clearProperty(SWITCH);
        }
    }
}

package io.penstock.standalone;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.penstock.Penstock;
import io.penstock.limits.HelpPage;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
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

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger questions = new AtomicInteger();
    private final AtomicInteger served = new AtomicInteger();
    private volatile CountDownLatch gate = new CountDownLatch(0);
    private HttpServer responder;

    @BeforeEach
    void makeTheAuthorityAndItsResponder() throws Exception {
        responder = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        responder.createContext("/", this::answer);
        responder.setExecutor(threads);
        responder.start();
        openssl("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -days 30 -subj /CN=Authority"
                + " -keyout ca.key -out ca.pem");
        Files.writeString(
                folder.resolve("extensions"),
                "[with]\nsubjectAltName=DNS:localhost\nauthorityInfoAccess=OCSP;URI:http://127.0.0.1:"
                        + responder.getAddress().getPort() + "/\n[without]\nsubjectAltName=DNS:localhost\n");
        issue("1001", "with");
    }

    @AfterEach
    void stopTheResponder() {
        gate.countDown();
        responder.stop(0);
        threads.shutdownNow();
    }

    private void openssl(String command) throws IOException, InterruptedException {
        Process openssl = new ProcessBuilder(
                        Stream.concat(Stream.of(Program.OPENSSL.path().toString()), Stream.of(command.split(" ")))
                                .toList())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        openssl.getOutputStream().close();
        String said = new String(openssl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, openssl.waitFor(), said);
    }

    /** Makes the server's certificate, and replaces the file {@code chain.pem}. The file {@code index} lists it as valid. */
    private void issue(String serial, String extensions) throws IOException, InterruptedException {
        openssl("req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -subj /CN=" + serial
                + " -keyout own.key -out own.csr");
        openssl("x509 -req -in own.csr -CA ca.pem -CAkey ca.key -days 20 -set_serial 0x" + serial
                + " -extfile extensions -extensions " + extensions + " -out own.pem");
        status("V\t491231000000Z\t\t" + serial);
        Files.writeString(
                folder.resolve("chain.new"),
                Files.readString(folder.resolve("own.pem"))
                        + Files.readString(folder.resolve("ca.pem"))
                        + Files.readString(folder.resolve("own.key")));
        Files.move(folder.resolve("chain.new"), chain(), StandardCopyOption.REPLACE_EXISTING);
    }

    private void status(String entry) throws IOException {
        Files.writeString(folder.resolve("index"), entry + "\tunknown\t/CN=any\n");
    }

    private Path chain() {
        return folder.resolve("chain.pem");
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            int number = questions.incrementAndGet();
            gate.await();
            Files.write(
                    folder.resolve("question" + number),
                    exchange.getRequestBody().readAllBytes());
            openssl("ocsp -index index -CA ca.pem -rsigner ca.pem -rkey ca.key -ndays 3 -reqin question" + number
                    + " -respout answer" + number);
            byte[] answer = Files.readAllBytes(folder.resolve("answer" + number));
            served.incrementAndGet();
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Penstock server() throws Exception {
        return Penstock.builder()
                .port(0)
                .set("host", "127.0.0.1")
                .set("tls-cert", chain().toString())
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

    private X509Certificate certificate(String name) throws IOException, GeneralSecurityException {
        try (InputStream in = Files.newInputStream(folder.resolve(name))) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    /** A client that trusts the authority. */
    private SSLContext client(boolean needsStatus) throws IOException, GeneralSecurityException {
        PKIXBuilderParameters rules =
                new PKIXBuilderParameters(Set.of(new TrustAnchor(certificate("ca.pem"), null)), new X509CertSelector());
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
            responder.stop(0);
            assertEquals(1, staples(server, client(true), protocol));
            assertEquals(1, questions.get());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void handshakesDoNotWaitForAResponderThatDoesNotAnswer(String protocol) throws Exception {
        gate = new CountDownLatch(1);
        try (Penstock server = server()) {
            await().until(() -> questions.get() == 1);
            for (int i = 0; i < 5; i++) {
                assertEquals(0, staples(server, client(false), protocol));
            }
            assertEquals(0, served.get());
            assertEquals(1, questions.get(), "handshakes must not ask");
            assertEquals(1, server.gauges().get("ocsp-answers-missing"));
            gate.countDown();
            awaitAnswers(server);
            assertEquals(1, staples(server, client(false), protocol));
        }
    }

    @Test
    void aResponderThatIsDownCostsOnlyTheStaple() throws Exception {
        responder.stop(0);
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
            issue("1002", "with");
            server.reloadCertificates();
            awaitAnswers(server);
            assertEquals(1, staples(server, client(true), "TLSv1.3"));
            assertEquals(2, questions.get());
        }
    }

    @Test
    void theStatementThatACertificateIsRevokedIsNotStapled() throws Exception {
        status("R\t491231000000Z\t260101000000Z\t1001");
        try (Penstock server = server()) {
            await().until(() -> served.get() == 1 && isOver());
            assertEquals(0, staples(server, client(false), "TLSv1.3"));
            assertEquals(1, server.gauges().get("ocsp-answers-missing"));
        }
    }

    @Test
    void aCertificateWithoutAResponderIsServedWithoutAStaple() throws Exception {
        issue("1001", "without");
        try (Penstock server = server()) {
            assertEquals(0, staples(server, client(false), "TLSv1.3"));
            assertEquals(0, server.gauges().get("ocsp-answers-missing"));
        }
        assertEquals(0, questions.get());
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

package io.penstock.acme;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.Penstock;
import io.penstock.StartException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests a complete server that orders certificates from an ACME authority. The tests use real sockets. */
@Timeout(120)
class EmbeddedServerTest {
    @TempDir
    Path folder;

    private final AtomicReference<Penstock> running = new AtomicReference<>();
    private AcmeAuthority authority;

    @BeforeEach
    void startAuthority() throws Exception {
        authority = new AcmeAuthority()
                .offers(
                        "http-01",
                        new HttpProof(
                                () -> running().redirectAddress().orElseThrow().getPort()))
                .offers("tls-alpn-01", new TlsAlpnProof(() -> running().port()));
    }

    @AfterEach
    void closeAuthority() {
        authority.close();
    }

    /** Waits for the server, and returns the server. The authority can check a proof before {@code start()} has returned to the test. */
    private Penstock running() {
        return await().until(running::get, server -> server != null);
    }

    private Penstock start(String... keysAndValues) throws StartException {
        Penstock.Builder builder = Penstock.builder()
                .port(0)
                .set("host", "127.0.0.1")
                .set("acme", "a.example,b.example")
                .set("acme-directory", authority.directory())
                .set("acme-dir", folder.toString())
                .context("/", context -> context.servlet("hello", new Hello(), "/*"));
        for (int i = 0; i < keysAndValues.length; i += 2) {
            builder.set(keysAndValues[i], keysAndValues[i + 1]);
        }
        Penstock server = builder.start();
        running.set(server);
        return server;
    }

    private static final class Hello extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print("Hello");
        }
    }

    private static X509Certificate served(Penstock server) throws Exception {
        try (SSLSocket socket = TlsAlpnProof.connect(server.port(), "a.example", "http/1.1")) {
            return handshake(socket);
        }
    }

    private static X509Certificate handshake(SSLSocket socket) throws IOException {
        socket.startHandshake();
        return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }

    private static String get(SSLSocket socket) throws IOException {
        socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: a.example\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        StringBuilder answer = new StringBuilder();
        while (!answer.toString().endsWith("Hello")) {
            answer.append((char) socket.getInputStream().read());
        }
        return answer.substring(0, 12);
    }

    private static void awaitSigned(Penstock server) {
        await().until(() -> server.gauges().get("certificate-pending") == 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http-01", "tls-alpn-01"})
    void theFirstCertificateContainsAllConfiguredHostNames(String kind) throws Exception {
        try (Penstock server = start("redirect-port", "0", "acme-challenge", kind)) {
            awaitSigned(server);
            X509Certificate got = served(server);
            got.verify(authority.certificate().getPublicKey());
            assertEquals(
                    List.of(List.of(2, "a.example"), List.of(2, "b.example")),
                    List.copyOf(got.getSubjectAlternativeNames()));
            assertEquals(got.getNotAfter().getTime(), server.gauges().get("certificate-expiry-timestamp"));
            assertEquals(0, server.gauges().get("acme-failures"));
            await().until(() -> threads().isEmpty());
        }
    }

    /** The order succeeds during the test. The existing connection keeps its certificate. A new connection gets the new certificate. */
    @Test
    void clientsGetASelfSignedCertificateBeforeTheFirstOrderSucceeds() throws Exception {
        CountDownLatch checked = new CountDownLatch(1);
        authority.on("order", (asked, exchange) -> {
            await().until(() -> checked.getCount() == 0);
            asked.restoreUsualResponse("order");
            asked.sendUsualResponse(exchange);
        });
        try (Penstock server = start();
                SSLSocket early = TlsAlpnProof.connect(server.port(), "a.example", "http/1.1")) {
            X509Certificate made = handshake(early);
            assertEquals(made.getSubjectX500Principal(), made.getIssuerX500Principal());
            assertEquals(1, server.gauges().get("certificate-pending"));
            assertEquals(0, server.gauges().get("certificate-expiry-timestamp"));
            assertEquals("HTTP/1.1 200", get(early));
            checked.countDown();
            awaitSigned(server);
            assertEquals("HTTP/1.1 200", get(early));
            served(server).verify(authority.certificate().getPublicKey());
        }
    }

    /**
     * The authority offers {@code acme-tls/1} as its only protocol (ALPN), and gets the certificate of the challenge. Clients that offer no
     * protocol, or also {@code http/1.1}, get the usual certificate.
     */
    @Test
    void ordinaryClientsNeverGetTheCertificateOfAChallenge() throws Exception {
        AtomicReference<String> wrong = new AtomicReference<>("the authority did not check the proof");
        TlsAlpnProof proof = new TlsAlpnProof(() -> running().port());
        authority.offers("tls-alpn-01", (host, token, answer) -> {
            try {
                int port = running().port();
                for (String[] protocols :
                        List.of(new String[0], new String[] {"http/1.1"}, new String[] {"acme-tls/1", "http/1.1"})) {
                    try (SSLSocket other = TlsAlpnProof.connect(port, host, protocols)) {
                        X509Certificate got = handshake(other);
                        assertNull(got.getExtensionValue("1.3.6.1.5.5.7.1.31"));
                        assertEquals("HTTP/1.1 200", get(other));
                    }
                }
                try (SSLSocket other = TlsAlpnProof.connect(port, "c.example", "acme-tls/1")) {
                    assertThrows(SSLException.class, other::startHandshake);
                }
                wrong.set("");
            } catch (Exception | AssertionError e) {
                wrong.set(e.toString());
            }
            return proof.wrong(host, token, answer);
        });
        try (Penstock server = start()) {
            awaitSigned(server);
            assertEquals("", wrong.get());
            try (SSLSocket late = TlsAlpnProof.connect(server.port(), "a.example", "acme-tls/1")) {
                assertThrows(SSLException.class, late::startHandshake);
            }
        }
    }

    @Test
    void aRestartedServerUsesTheStoredCertificateAndSendsNothingToTheAuthority() throws Exception {
        X509Certificate kept;
        try (Penstock server = start()) {
            awaitSigned(server);
            kept = served(server);
        }
        int asked = authority.requests().size();
        try (Penstock server = start()) {
            assertEquals(0, server.gauges().get("certificate-pending"));
            assertEquals(kept, served(server));
        }
        assertEquals(asked, authority.requests().size());
    }

    @Test
    void aStoredCertificateIsUsedUntilItsRenewalSucceeds() throws Exception {
        authority.begin = () -> Instant.now().minus(Duration.ofDays(61));
        X509Certificate kept;
        try (Penstock server = start()) {
            awaitSigned(server);
            kept = served(server);
        }
        authority.begin = Instant::now;
        try (Penstock server = start()) {
            assertEquals(0, server.gauges().get("certificate-pending"));
            await().until(() -> !served(server).equals(kept));
        }
        assertEquals(2, authority.signed());
        assertEquals(1, authority.accounts());
    }

    @Test
    void aDamagedCertificateFileCausesANewOrder() throws Exception {
        try (Penstock server = start()) {
            awaitSigned(server);
        }
        Path file;
        try (Stream<Path> files = Files.walk(folder)) {
            file = files.filter(path -> path.endsWith("certificate.pem"))
                    .findFirst()
                    .orElseThrow();
        }
        String text = Files.readString(file);
        Files.writeString(file, text.substring(0, text.length() - 100));
        try (Penstock server = start()) {
            awaitSigned(server);
            assertEquals(2, authority.signed());
            served(server).verify(authority.certificate().getPublicKey());
        }
    }

    @Test
    void aFailedOrderIncreasesTheGaugeAcmeFailures() throws Exception {
        authority.on("order", AcmeAuthority.answers(403, "rejectedIdentifier", "not for you"));
        try (Penstock server = start()) {
            await().until(() -> server.gauges().get("acme-failures") == 1);
            assertEquals(1, server.gauges().get("certificate-pending"));
        }
    }

    @Test
    void closingTheServerDoesNotWaitForTheAuthority() throws Exception {
        authority.on("dir", AcmeAuthority.hangs());
        Penstock server = start();
        await().until(() -> authority.requests().contains("dir"));
        assertEquals(1, threads().size());
        server.close();
        await().until(() -> threads().isEmpty()); // the thread can still be at its end when the order has ended
    }

    private static List<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("acme"))
                .toList();
    }

    @Test
    void aSecondServerWithTheSameFolderDoesNotStart() throws Exception {
        try (Penstock server = start()) {
            awaitSigned(server);
            String message = assertThrows(StartException.class, this::start).getMessage();
            assertTrue(message.startsWith("acme-dir: " + folder), message);
            assertTrue(message.endsWith(" is used by another server"), message);
        }
        start().close();
    }

    @Test
    void theServerRegistersWithTheConfiguredExternalAccount() throws Exception {
        byte[] key = "0123456789abcdef0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
        authority.bindingId = "kid-1";
        authority.bindingKey = key;
        try (Penstock server = start(
                "acme-email",
                "admin@a.example",
                "acme-eab-kid",
                "kid-1",
                "acme-eab-key",
                Base64.getUrlEncoder().withoutPadding().encodeToString(key))) {
            awaitSigned(server);
            Map<String, Object> account = authority.account(0);
            assertEquals(List.of("mailto:admin@a.example"), account.get("contact"));
            assertEquals(true, account.get("termsOfServiceAgreed"));
        }
    }
}

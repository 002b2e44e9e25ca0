package io.penstock.standalone;

import static io.penstock.testing.Patience.PATIENCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.Penstock;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests TLS connections with OpenSSL, curl and the HTTP client of the JDK. These clients verify the server's certificate. */
@NeedsProgram({Program.OPENSSL, Program.CURL})
class TlsPeersIT {
    private static final int LARGE = 50_000_000;

    @TempDir
    static Path folder;

    private static TestAuthority authority;
    private static Path client;
    private static Penstock server;

    /**
     * Answers a GET of {@code /large} with a large response, and any other GET with the TLS version and the subject of the client
     * certificate. Answers a PUT with the length and the checksum of the request body.
     */
    private static final class PeerServlet extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if (request.getServletPath().equals("/large")) {
                response.setContentLength(LARGE);
                response.getOutputStream().write(large());
                return;
            }
            Object chain = request.getAttribute("jakarta.servlet.request.X509Certificate");
            String who = chain instanceof X509Certificate[] known
                    ? known[0].getSubjectX500Principal().getName()
                    : "nobody";
            response.getWriter()
                    .print(request.getAttribute("jakarta.servlet.request.secure_protocol") + " for " + who + "\n");
        }

        @Override
        protected void doPut(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print(sum(request.getInputStream().readAllBytes()));
        }
    }

    private static byte[] large() {
        byte[] bytes = new byte[LARGE];
        new Random(18).nextBytes(bytes);
        return bytes;
    }

    private static String sum(byte[] bytes) {
        CRC32 sum = new CRC32();
        sum.update(bytes);
        return bytes.length + " bytes, " + sum.getValue();
    }

    @BeforeAll
    static void start() throws Exception {
        authority = new TestAuthority(folder);
        Path certificate = authority.server();
        client = authority.client("ann");
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .set("tls-cert", certificate.toString())
                .set("tls-key", TestAuthority.key(certificate).toString())
                .set("tls-client-auth", "want")
                .set("http2", "off") // openssl s_client sends the text of HTTP/1.1
                .set("//staff.localhost:client-auth", "need")
                .set("tls-trust", authority.certificate().toString())
                .set("redirect-port", "0")
                .set("body-limit", "100M")
                .context("/", context -> context.servlet("peer", new PeerServlet(), "/who", "/large"))
                .start();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static String url(String path) {
        return "https://localhost:" + server.port() + path;
    }

    /** @param said the complete output of the program */
    private record Outcome(int code, String said) {}

    private static Outcome run(Program program, String input, List<String> arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of(program.path().toString()));
        words.addAll(arguments);
        Path said = Files.createTempFile(folder, "said", ".txt");
        Process process = new ProcessBuilder(words)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try (OutputStream in = process.getOutputStream()) {
            in.write(input.getBytes(StandardCharsets.US_ASCII));
            in.flush();
            assertTrue(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS), () -> read(said));
        } finally {
            process.destroyForcibly();
        }
        return new Outcome(process.exitValue(), read(said));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    // ---- OpenSSL

    private static Outcome openssl(String... more) throws Exception {
        List<String> words = new ArrayList<>(List.of("s_client", "-connect", "localhost:" + server.port()));
        words.addAll(List.of("-CAfile", authority.certificate().toString(), "-verify_return_error"));
        words.addAll(List.of("-verify_hostname", "localhost", "-servername", "localhost", "-ign_eof"));
        words.addAll(List.of("-alpn", "h2,http/1.1"));
        words.addAll(List.of(more));
        return run(Program.OPENSSL, "GET /who HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", words);
    }

    @ParameterizedTest
    @CsvSource({"-tls1_3, TLSv1.3", "-tls1_2, TLSv1.2"})
    void opensslVerifiesTheCertificateAndNegotiatesHttp11(String option, String version) throws Exception {
        Outcome outcome = openssl(option);
        assertEquals(0, outcome.code(), outcome.said());
        assertTrue(outcome.said().contains("Verify return code: 0 (ok)"), outcome.said());
        assertTrue(outcome.said().contains("ALPN protocol: http/1.1"), outcome.said());
        assertTrue(outcome.said().contains(version + " for nobody"), outcome.said());
    }

    @ParameterizedTest
    @CsvSource({"-tls1_3, TLSv1.3", "-tls1_2, TLSv1.2"})
    void opensslResumesItsTlsSession(String option, String version) throws Exception {
        String session = folder.resolve("session" + option).toString();
        Outcome first = openssl(option, "-sess_out", session);
        assertTrue(first.said().contains("New, TLSv1."), first.said());
        Outcome second = openssl(option, "-sess_in", session);
        assertTrue(second.said().contains("Reused, TLSv1."), second.said());
        assertTrue(second.said().contains(version + " for nobody"), second.said());
    }

    @ParameterizedTest
    @CsvSource({"-tls1_3, TLSv1.3", "-tls1_2, TLSv1.2"})
    void theServletGetsTheClientCertificateFromOpenssl(String option, String version) throws Exception {
        Outcome outcome = openssl(
                option,
                "-cert",
                client.toString(),
                "-key",
                TestAuthority.key(client).toString());
        assertTrue(outcome.said().contains(version + " for CN=ann"), outcome.said());
    }

    /** A TLS session without a client certificate must not be resumed for a host that requires a client certificate. */
    @ParameterizedTest
    @ValueSource(strings = {"-tls1_3", "-tls1_2"})
    void opensslCannotResumeASessionForAHostThatRequiresAClientCertificate(String option) throws Exception {
        String session = folder.resolve("other" + option).toString();
        assertTrue(openssl(option, "-sess_out", session).said().contains(" for nobody"));
        Outcome refused = opensslForStaffHost(option, "-sess_in", session);
        assertFalse(refused.said().contains("Reused, TLSv1."), refused.said());
        assertFalse(refused.said().contains(" for nobody"), refused.said());
        assertTrue(refused.said().contains(" alert "), refused.said());
        String key = TestAuthority.key(client).toString();
        Outcome shown = opensslForStaffHost(option, "-sess_in", session, "-cert", client.toString(), "-key", key);
        assertTrue(shown.said().contains(" for CN=ann"), shown.said());
    }

    private static Outcome opensslForStaffHost(String... more) throws Exception {
        List<String> words = new ArrayList<>(List.of("s_client", "-connect", "localhost:" + server.port()));
        words.addAll(List.of("-servername", "staff.localhost", "-ign_eof"));
        words.addAll(List.of(more));
        return run(Program.OPENSSL, "GET /who HTTP/1.1\r\nHost: staff.localhost\r\nConnection: close\r\n\r\n", words);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-tls1_1", "-tls1"})
    void opensslGetsAnAlertForAnUnsupportedTlsVersion(String option) throws Exception {
        Outcome outcome = openssl(option, "-cipher", "ALL:@SECLEVEL=0");
        assertNotEquals(0, outcome.code());
        assertTrue(outcome.said().contains("alert protocol version"), outcome.said());
    }

    @Test
    void aRenegotiationRequestFromOpensslIsRejected() throws Exception {
        List<String> words =
                List.of("s_client", "-connect", "localhost:" + server.port(), "-tls1_2", "-legacy_renegotiation");
        Outcome outcome = run(Program.OPENSSL, "R\n", words);
        assertTrue(outcome.said().contains("RENEGOTIATING"), outcome.said());
        assertTrue(outcome.said().contains("alert unexpected message"), outcome.said());
    }

    // ---- curl

    private static Outcome curl(String... more) throws Exception {
        List<String> words = new ArrayList<>(List.of("--silent", "--show-error", "--fail"));
        words.addAll(List.of("--cacert", authority.certificate().toString()));
        words.addAll(List.of(more));
        return run(Program.CURL, "", words);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.3", "1.2"})
    void curlVerifiesTheCertificateOfTheServer(String version) throws Exception {
        assertEquals(new Outcome(0, "TLSv" + version + " for nobody\n"), curl("--tls-max", version, url("/who")));
    }

    @Test
    void curlRejectsTheCertificateIfTheHostNameDiffers() throws Exception {
        Outcome outcome = curl("--connect-to", "other.test:443:localhost:" + server.port(), "https://other.test/who");
        assertEquals(60, outcome.code(), outcome.said());
    }

    @Test
    void theServletGetsTheClientCertificateFromCurl() throws Exception {
        String key = TestAuthority.key(client).toString();
        assertEquals(
                new Outcome(0, "TLSv1.3 for CN=ann\n"), curl("--cert", client.toString(), "--key", key, url("/who")));
    }

    @Test
    void curlFollowsTheRedirectToHttps() throws Exception {
        int port = server.redirectAddress().orElseThrow().getPort();
        assertEquals(new Outcome(0, "TLSv1.3 for nobody\n"), curl("--location", "http://localhost:" + port + "/who"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.3", "1.2"})
    void curlSendsAndReceivesLargeBodies(String version) throws Exception {
        Path file = Files.write(folder.resolve("large"), large());
        assertEquals(
                new Outcome(0, sum(large())),
                curl("--tls-max", version, "--upload-file", file.toString(), url("/who")));
        Path come = folder.resolve("come");
        assertEquals(new Outcome(0, ""), curl("--tls-max", version, "--output", come.toString(), url("/large")));
        assertEquals(-1, Files.mismatch(file, come));
    }

    @Test
    void curlSendsTwoRequestsOnOneConnection() throws Exception {
        Outcome outcome = curl("--verbose", url("/who"), url("/who"));
        assertTrue(outcome.said().contains("Re-using existing connection"), outcome.said());
        assertFalse(outcome.said().contains("alert"), outcome.said());
    }

    // ---- the JDK's client

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
    void theJdkClientVerifiesTheCertificateAndTransfersLargeBodies(String version) throws Exception {
        SSLContext context = SSLContext.getInstance(version);
        context.init(null, trust().getTrustManagers(), null);
        HttpClient java = HttpClient.newBuilder().sslContext(context).build();
        HttpRequest who = HttpRequest.newBuilder(URI.create(url("/who"))).build();
        assertEquals(
                version + " for nobody\n",
                java.send(who, HttpResponse.BodyHandlers.ofString()).body());
        HttpRequest put = HttpRequest.newBuilder(URI.create(url("/who")))
                .PUT(HttpRequest.BodyPublishers.ofByteArray(large()))
                .build();
        assertEquals(
                sum(large()),
                java.send(put, HttpResponse.BodyHandlers.ofString()).body());
        HttpRequest get = HttpRequest.newBuilder(URI.create(url("/large"))).build();
        assertEquals(
                sum(large()),
                sum(java.send(get, HttpResponse.BodyHandlers.ofByteArray()).body()));
    }

    private static TrustManagerFactory trust() throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        try (InputStream in = Files.newInputStream(authority.certificate())) {
            store.setCertificateEntry(
                    "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        factory.init(store);
        return factory;
    }
}

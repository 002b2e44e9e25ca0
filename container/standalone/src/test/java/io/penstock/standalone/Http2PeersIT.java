package io.penstock.standalone;

import static io.penstock.testing.Patience.PATIENCE;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.Penstock;
import io.penstock.StartException;
import io.penstock.request.HttpResponse;
import io.penstock.testing.AnyCertificate;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests HTTP/2 with nghttp, h2load, curl and the HTTP client of the JDK, over TLS and without it: bodies in both directions, trailers,
 * informational responses, cancelled downloads, and a server that stops within a response.
 */
@NeedsProgram({Program.OPENSSL, Program.CURL, Program.NGHTTP, Program.H2LOAD})
class Http2PeersIT {
    private static final int LARGE = 5_000_000;

    @TempDir
    static Path folder;

    private static Path certificate;
    private static byte[] large;
    private static Path largeFile;

    private final CountDownLatch mayGoOn = new CountDownLatch(1);
    private final AtomicInteger halves = new AtomicInteger(); // responses of /half whose first half has been written
    private final AtomicInteger endless = new AtomicInteger(); // running responses of /endless
    private Penstock plain;
    private Penstock secure;

    private final class PeerServlet extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            OutputStream out = response.getOutputStream();
            switch (request.getServletPath()) {
                case "/large" -> out.write(large);
                case "/half" -> {
                    out.write(large, 0, LARGE / 2);
                    halves.incrementAndGet();
                    awaitPermit();
                    out.write(large, LARGE / 2, LARGE - LARGE / 2);
                }
                case "/hints" -> {
                    response.setHeader("Link", "</style.css>; rel=preload");
                    ((HttpResponse) response).sendEarlyHints();
                    out.write("late".getBytes(StandardCharsets.US_ASCII));
                }
                default -> {
                    endless.incrementAndGet();
                    try {
                        while (true) {
                            out.write(large, 0, 100_000);
                        }
                    } finally {
                        endless.decrementAndGet();
                    }
                }
            }
        }

        private void awaitPermit() throws IOException {
            try {
                mayGoOn.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }

        /** Answers with the sum of the body and the client's trailer, and with a trailer. */
        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            String sum = sum(request.getInputStream().readAllBytes());
            response.setTrailerFields(() -> Map.of("x-sum", sum));
            response.getWriter()
                    .print(sum + ", trailer " + request.getTrailerFields().get("x-of-client"));
        }
    }

    private static String sum(byte[] bytes) {
        CRC32 sum = new CRC32();
        sum.update(bytes);
        return bytes.length + " bytes " + sum.getValue();
    }

    @BeforeAll
    static void prepare() throws Exception {
        certificate = new TestAuthority(folder).server();
        large = new byte[LARGE];
        new Random(41).nextBytes(large);
        largeFile = Files.write(folder.resolve("large"), large);
    }

    @BeforeEach
    void start() throws StartException {
        plain = server().set("h2c", "on").start();
        secure = server().set("tls-cert", certificate.toString())
                .set("tls-key", TestAuthority.key(certificate).toString())
                .set("redirect-port", "0")
                .start();
    }

    private Penstock.Builder server() {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .set("body-limit", "100M")
                .context("/", context -> context.servlet("peer", new PeerServlet(), "/*", "/large", "/half", "/hints"));
    }

    @AfterEach
    void stop() {
        mayGoOn.countDown();
        plain.close();
        secure.close();
    }

    private String url(String scheme, String path) {
        return scheme + "://localhost:" + (scheme.equals("http") ? plain : secure).port() + path;
    }

    // ---- programs

    /** A running program. Its output goes to a file. */
    private record Running(Process process, Path output) {
        static Running of(Program program, String... arguments) throws IOException {
            List<String> words = new ArrayList<>(List.of(program.path().toString()));
            words.addAll(Arrays.asList(arguments));
            Path output = Files.createTempFile(folder, "output", ".txt");
            Process process = new ProcessBuilder(words)
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            process.getOutputStream().close();
            return new Running(process, output);
        }

        String said() throws IOException {
            return Files.readString(output, StandardCharsets.ISO_8859_1);
        }

        /** Waits for a program without an error, and returns its output. */
        String end() throws IOException, InterruptedException {
            try {
                assertTrue(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS), said());
                assertEquals(0, process.exitValue(), said());
                return said();
            } finally {
                process.destroyForcibly();
            }
        }
    }

    private static Running curl(String... arguments) throws IOException {
        List<String> words =
                new ArrayList<>(List.of("--silent", "--show-error", "--insecure", "--http2-prior-knowledge"));
        words.addAll(Arrays.asList(arguments));
        return Running.of(Program.CURL, words.toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"http", "https"})
    void curlSendsAndReceivesLargeBodies(String scheme) throws Exception {
        Path received = folder.resolve("received-" + scheme);
        curl("--output", received.toString(), url(scheme, "/large")).end();
        assertArrayEquals(large, Files.readAllBytes(received));
        String said = curl(
                        "--verbose",
                        "--header",
                        "Expect: 100-continue",
                        "--data-binary",
                        "@" + largeFile,
                        url(scheme, "/sum"))
                .end();
        assertTrue(said.contains("< HTTP/2 100"), said);
        assertTrue(said.contains(sum(large) + ", trailer null"), said);
        assertTrue(said.contains("< x-sum: " + sum(large)), said);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http", "https"})
    void curlReceivesEarlyHints(String scheme) throws Exception {
        String said = curl("--verbose", url(scheme, "/hints")).end();
        assertTrue(
                said.indexOf("< HTTP/2 103") >= 0 && said.indexOf("< HTTP/2 103") < said.indexOf("< HTTP/2 200"), said);
        assertTrue(said.contains("late"), said);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http", "https"})
    void nghttpSendsAndReceivesTrailersAndGets100(String scheme) throws Exception {
        String said = Running.of(
                        Program.NGHTTP,
                        "--verbose",
                        "--no-verify-peer",
                        "--expect-continue",
                        "--data=" + largeFile,
                        "--trailer=x-of-client: sent last",
                        url(scheme, "/sum"))
                .end();
        assertTrue(said.contains(":status: 100"), said);
        assertTrue(said.contains(sum(large) + ", trailer sent last"), said);
        assertTrue(said.contains("x-sum: " + sum(large)), said);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http", "https"})
    void allRequestsOfH2loadAreAnswered(String scheme) throws Exception {
        String said = Running.of(
                        Program.H2LOAD,
                        "--requests=100",
                        "--clients=5",
                        "--max-concurrent-streams=10",
                        url(scheme, "/large"))
                .end();
        assertTrue(said.contains("100 done, 100 succeeded, 0 failed, 0 errored, 0 timeout"), said);
    }

    // ---- the client of the JDK, which knows HTTP/2 without TLS only after an upgrade from HTTP/1.1

    private static HttpClient client() throws Exception {
        return HttpClient.newBuilder().sslContext(AnyCertificate.trusting()).build();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(url("https", path))).timeout(PATIENCE);
    }

    @Test
    void theClientOfTheJdkSendsAndReceivesLargeBodies() throws Exception {
        HttpClient client = client();
        List<CompletableFuture<java.net.http.HttpResponse<byte[]>>> downloads = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            downloads.add(client.sendAsync(request("/large").build(), BodyHandlers.ofByteArray()));
        }
        for (CompletableFuture<java.net.http.HttpResponse<byte[]>> download : downloads) {
            assertEquals(HttpClient.Version.HTTP_2, download.get().version());
            assertArrayEquals(large, download.get().body());
        }
        HttpRequest upload = request("/sum")
                .expectContinue(true)
                .POST(HttpRequest.BodyPublishers.ofFile(largeFile))
                .build();
        assertEquals(
                sum(large) + ", trailer null",
                client.send(upload, BodyHandlers.ofString()).body());
    }

    @Test
    void aCancelledDownloadEndsAloneAtTheServer() throws Exception {
        HttpClient client = client();
        try (InputStream body = client.send(request("/endless").build(), BodyHandlers.ofInputStream())
                .body()) {
            assertEquals(1_000_000, body.readNBytes(1_000_000).length);
            assertEquals(1, endless.get());
        }
        await().until(() -> endless.get() == 0);
        assertEquals(1L, secure.counters().get("streams-reset"));
        assertArrayEquals(
                large,
                client.send(request("/large").build(), BodyHandlers.ofByteArray())
                        .body());
    }

    // ---- a server that stops within responses; the client of JDK 17 gives up its requests at GOAWAY

    /** Begins to stop the server, and lets the responses go on when it accepts no client any more. */
    private Thread stopWithin(Penstock server, int responses) {
        await().until(() -> halves.get() == responses);
        Thread stopping = new Thread(server::close);
        stopping.start();
        await().until(() -> isClosed(server.port()));
        mayGoOn.countDown();
        return stopping;
    }

    private static boolean isClosed(int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return false;
        } catch (ConnectException closed) {
            return true;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"http", "https"})
    void responsesAreCompleteThatAStoppingServerHasBegun(String scheme) throws Exception {
        Path received = folder.resolve("half-" + scheme);
        Running curl = curl("--output", received.toString(), url(scheme, "/half"));
        Running nghttp = Running.of(Program.NGHTTP, "--no-verify-peer", url(scheme, "/half"));
        Thread stopping = stopWithin(scheme.equals("http") ? plain : secure, 2);
        curl.end();
        assertArrayEquals(large, Files.readAllBytes(received));
        nghttp.end();
        assertArrayEquals(large, Files.readAllBytes(nghttp.output()));
        stopping.join();
    }
}

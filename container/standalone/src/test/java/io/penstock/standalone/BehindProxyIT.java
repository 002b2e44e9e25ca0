package io.penstock.standalone;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.Penstock;
import io.penstock.testing.AnyCertificate;
import io.penstock.testing.NeedsProgram;
import io.penstock.testing.Program;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the server behind real proxies, with the configurations in {@code docs/production.md}. In most tests, the proxy terminates TLS.
 * The server trusts the address of the proxy, 127.0.0.1. Clients have other loopback addresses, and send forged header fields.
 */
@NeedsProgram(Program.OPENSSL)
class BehindProxyIT {
    private static final int PATIENCE_MILLIS = 60_000;

    /** The address at which a proxy accepts plain HTTP. HTTP and HTTPS use the same port number, so they need different addresses. */
    private static final String PLAIN = "127.0.0.9";

    @TempDir
    static Path folder;

    private static Path certificate;
    private static Path together;
    private static Path chat;

    @BeforeAll
    static void prepare() throws Exception {
        chat = EchoEndpoint.application(folder.resolve("chat"));
        certificate = new TestAuthority(folder).server();
        together = Files.writeString(
                folder.resolve("together.pem"),
                Files.readString(certificate) + Files.readString(TestAuthority.key(certificate)));
    }

    /** A servlet that reports properties of a request, redirects, begins a session, or counts the bytes of a body. */
    private static final class Site extends HttpServlet {
        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print("took " + request.getInputStream().transferTo(OutputStream.nullOutputStream()));
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            switch (request.getServletPath()) {
                case "/redirect" -> response.sendRedirect("there");
                case "/session" -> request.getSession();
                default ->
                    response.getWriter()
                            .print(request.getRemoteAddr() + " " + request.getScheme() + " " + request.isSecure() + " "
                                    + request.getRequestURL());
            }
        }
    }

    private static Penstock.Builder server(Path log) {
        return site(log).host("127.0.0.1").port(0).set("trusted-proxies", "127.0.0.1");
    }

    private static Penstock.Builder site(Path log) {
        return Penstock.builder()
                .workers(2)
                .set("login-failures-address", "2")
                .set("access-log", log.toString())
                .set("access-log-format", "c-ip cs-uri sc-status")
                .realm((name, password) -> null)
                .context(
                        "/app",
                        context -> context.servlet("site", new Site(), "/told", "/redirect", "/session", "/upload"))
                .war("/chat", chat)
                .context("/staff", context -> context.servlet("site", new Site(), "/*")
                        .constrain("/*", "staff")
                        .basicLogin("staff"));
    }

    private static String sendGet(int port, String client, String target, String... lines) throws Exception {
        return send(port, client, "GET", target, new byte[0], lines);
    }

    private static String send(int port, String client, String method, String target, byte[] body, String... lines)
            throws Exception {
        try (Socket plain = new Socket()) {
            plain.setSoTimeout(PATIENCE_MILLIS);
            plain.bind(new InetSocketAddress(client, 0));
            plain.connect(new InetSocketAddress("127.0.0.1", port));
            try (Socket socket =
                    AnyCertificate.trusting().getSocketFactory().createSocket(plain, "localhost", port, true)) {
                String request =
                        method + " " + target + " HTTP/1.1\r\nHost: localhost:" + port + "\r\nConnection: close\r\n"
                                + "X-Forwarded-For: 6.6.6.6\r\nX-Forwarded-Proto: http\r\nX-Forwarded-Host: evil.example\r\n"
                                + "X-Forwarded-Port: 1\r\nForwarded: for=6.6.6.6;proto=http;host=evil.example\r\n"
                                + String.join("", lines) + "\r\n";
                socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
                socket.getOutputStream().write(body);
                return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            }
        }
    }

    private static void assertServerSeesClientAddress(ProxyProcess proxy) throws Exception {
        int port = proxy.port();
        String origin = "https://localhost:" + port;
        String told = sendGet(port, "127.0.0.2", "/app/told");
        assertTrue(told.contains("127.0.0.2 https true " + origin + "/app/told"), told + proxy.log());
        String led = sendGet(port, "127.0.0.2", "/app/redirect");
        assertTrue(led.contains("ocation: " + origin + "/app/there\r\n"), led);
        String directory = sendGet(port, "127.0.0.2", "/app");
        assertTrue(directory.contains("ocation: " + origin + "/app/\r\n"), directory);
        String session = sendGet(port, "127.0.0.2", "/app/session");
        assertTrue(session.contains("; Secure"), session);
        String user = "Authorization: Basic "
                + Base64.getEncoder().encodeToString("ann:wrong".getBytes(StandardCharsets.US_ASCII)) + "\r\n";
        for (String status : List.of(" 401 ", " 401 ", " 429 ")) {
            String refused = sendGet(port, "127.0.0.3", "/staff/", user);
            assertTrue(refused.substring(0, 20).contains(status), refused);
        }
        String other = sendGet(port, "127.0.0.4", "/staff/", user);
        assertTrue(other.substring(0, 20).contains(" 401 "), other);
    }

    /** Sends an upload that is larger than the default limit of nginx. Checks that the server receives the whole body. */
    private static void assertUploadIsAccepted(ProxyProcess proxy) throws Exception {
        byte[] body = new byte[20_000_000];
        String answer =
                send(proxy.port(), "127.0.0.5", "POST", "/app/upload", body, "Content-Length: " + body.length + "\r\n");
        assertTrue(answer.contains("took " + body.length), answer + proxy.log());
    }

    private static void assertWebSocketIsForwarded(ProxyProcess proxy) throws Exception {
        CompletableFuture<String> heard = new CompletableFuture<>();
        WebSocket client = HttpClient.newBuilder()
                .sslContext(AnyCertificate.trusting())
                .build()
                .newWebSocketBuilder()
                .buildAsync(URI.create("wss://localhost:" + proxy.port() + "/chat/echo"), new WebSocket.Listener() {
                    @Override
                    public CompletionStage<?> onText(WebSocket from, CharSequence text, boolean last) {
                        heard.complete(text.toString());
                        return null;
                    }
                })
                .get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        client.sendText("hello", true).get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        assertEquals("hello", heard.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS));
        client.sendClose(WebSocket.NORMAL_CLOSURE, "").get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Sends a plain HTTP request to the proxy. Checks that the response is a redirect to HTTPS. */
    private static void assertHttpIsRedirectedToHttps(ProxyProcess proxy) throws Exception {
        try (Socket socket = new Socket(PLAIN, proxy.port())) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.getOutputStream()
                    .write("GET /app/told HTTP/1.1\r\nHost: www.example.org\r\nConnection: close\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            assertTrue(answer.startsWith("HTTP/1.1 301 "), answer);
            assertTrue(
                    answer.toLowerCase(Locale.ROOT).contains("location: https://www.example.org/app/told\r\n"), answer);
        }
    }

    private static void assertAccessLog(Path log) throws IOException {
        assertEquals(
                List.of(
                        "127.0.0.2 /app/told 200",
                        "127.0.0.2 /app/redirect 302",
                        "127.0.0.2 /app 302",
                        "127.0.0.2 /app/session 200",
                        "127.0.0.3 /staff/ 401",
                        "127.0.0.3 /staff/ 401",
                        "127.0.0.3 /staff/ 429",
                        "127.0.0.4 /staff/ 401",
                        "127.0.0.5 /app/upload 200"),
                Files.readAllLines(log).stream()
                        .filter(line -> !line.startsWith("#") && !line.contains("/chat/"))
                        .toList());
    }

    /** Starts a proxy that forwards requests to the server. */
    @FunctionalInterface
    private interface Front {
        ProxyProcess before(Penstock server) throws Exception;
    }

    private static void assertServerSeesClientAddress(Penstock.Builder builder, Path log, Front front)
            throws Exception {
        try (Penstock server = builder.start();
                ProxyProcess proxy = front.before(server)) {
            assertServerSeesClientAddress(proxy);
            assertUploadIsAccepted(proxy);
            assertWebSocketIsForwarded(proxy);
            assertEquals(0, server.counters().get("proxy-headers-refused"));
        }
        assertAccessLog(log);
    }

    @Test
    @NeedsProgram(Program.NGINX)
    void theServerSeesTheClientAddressBehindNginx() throws Exception {
        Path log = folder.resolve("nginx-access.log");
        assertServerSeesClientAddress(
                server(log),
                log,
                server -> nginx("server 127.0.0.1:8080", Map.of("127.0.0.1:8080", "127.0.0.1:" + server.port())));
    }

    @Test
    @NeedsProgram(Program.NGINX)
    void theServerSeesTheClientAddressIfNginxConnectsToAUnixDomainSocket() throws Exception {
        Path log = folder.resolve("unix-access.log");
        Path socket = folder.resolve("http.sock");
        Penstock.Builder builder = site(log).listen("unix:" + socket).set("trusted-proxies", "unix");
        assertServerSeesClientAddress(
                builder, log, server -> nginx("server unix:", Map.of("/run/penstock/http.sock", socket.toString())));
    }

    private static ProxyProcess nginx(String upstream, Map<String, String> places) throws Exception {
        return withCheckedRedirect(ProxyProcess.nginx(
                port -> ProductionDocument.nginx(port, certificate, ProductionDocument.upstream(upstream, places))));
    }

    @Test
    @NeedsProgram(Program.HAPROXY)
    void theServerSeesTheClientAddressBehindHaproxy() throws Exception {
        Path log = folder.resolve("haproxy-access.log");
        assertServerSeesClientAddress(
                server(log),
                log,
                server -> withCheckedRedirect(ProxyProcess.haproxy(port -> ProductionDocument.haproxy(
                        port, together, "    server one 127.0.0.1:" + server.port() + "\n"))));
    }

    @Test
    @NeedsProgram(Program.APACHE)
    void theServerSeesTheClientAddressBehindApache() throws Exception {
        Path log = folder.resolve("apache-access.log");
        assertServerSeesClientAddress(
                server(log),
                log,
                server -> withCheckedRedirect(ProxyProcess.apache(port -> "Listen " + PLAIN + ":" + port + "\n"
                        + ProductionDocument.block(
                                "apache",
                                "ProxyPass",
                                Map.of(
                                        "127.0.0.1:8080", "127.0.0.1:" + server.port(),
                                        "*:80", PLAIN + ":" + port,
                                        "*:443", "127.0.0.1:" + port,
                                        "/etc/penstock/chain.pem", certificate.toString(),
                                        "/etc/penstock/key.pem",
                                                TestAuthority.key(certificate).toString())))));
    }

    /** nginx closes its connection to the server when its client closes, unless {@code proxy_ignore_client_abort} is on. */
    @Test
    @NeedsProgram(Program.NGINX)
    void theWaitingRequestIsDroppedIfItsClientLeavesNginx() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        HttpServlet slow = new HttpServlet() {
            @Override
            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                try {
                    go.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
        };
        try (Penstock server = Penstock.builder()
                        .host("127.0.0.1")
                        .port(0)
                        .workers(1)
                        .context("/", context -> context.servlet("slow", slow, "/slow"))
                        .start();
                ProxyProcess proxy = ProxyProcess.nginx(port -> "server { listen 127.0.0.1:" + port
                        + "; location / { proxy_pass http://127.0.0.1:" + server.port() + "; } }");
                KeptConnection running = new KeptConnection(server.port())) {
            running.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
            await().until(() -> server.gauges().get("workers-busy") == 1);
            try (KeptConnection leaving = new KeptConnection(proxy.port())) {
                leaving.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
                await().until(() -> server.gauges().get("queued") > 0);
            }
            await().until(() -> server.counters().get("clients-gone") == 1);
            go.countDown();
            assertEquals(200, running.status());
        } finally {
            go.countDown();
        }
    }

    private static ProxyProcess withCheckedRedirect(ProxyProcess proxy) throws Exception {
        assertHttpIsRedirectedToHttps(proxy);
        return proxy;
    }

    /**
     * HAProxy forwards the encrypted bytes, and the server terminates TLS. HAProxy adds a PROXY protocol header with the address of the
     * client.
     */
    @ParameterizedTest
    @ValueSource(strings = {"send-proxy-v2", "send-proxy"})
    @NeedsProgram(Program.HAPROXY)
    void theServerSeesTheClientAddressInAProxyProtocolHeader(String version) throws Exception {
        Path log = folder.resolve(version + "-access.log");
        Penstock.Builder behindHeaders = server(log).set("proxy-protocol", "on").set("tls-self-signed", "on");
        assertServerSeesClientAddress(
                behindHeaders,
                log,
                server -> ProxyProcess.haproxy(port -> ProductionDocument.block(
                        "haproxy",
                        "send-proxy-v2",
                        Map.of(
                                "127.0.0.1:8443", "127.0.0.1:" + server.port(),
                                "send-proxy-v2", version,
                                "bind :443\n", "bind 127.0.0.1:" + port + "\n"))));
    }
}

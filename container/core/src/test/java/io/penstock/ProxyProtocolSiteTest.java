package io.penstock;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.certificates.AnyCertificate;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests a server behind a proxy that sends headers of the PROXY protocol (setting {@code proxy-protocol}). The application, the access log
 * and the login limits must use the client address of the header.
 */
class ProxyProtocolSiteTest {
    private static final String HEADER = "PROXY TCP4 192.0.2.1 198.51.100.1 56324 443\r\n";
    private static final String CLOSE = "Connection: close\r\n\r\n";

    @TempDir
    Path folder;

    private static final class Site extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter()
                    .print(request.getRemoteAddr() + "#" + request.getRemotePort() + " " + request.getLocalAddr() + "#"
                            + request.getLocalPort() + " " + request.getRequestURL());
        }
    }

    private Penstock.Builder server(String... keysAndValues) {
        Penstock.Builder builder = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .set("trusted-proxies", "127.0.0.1")
                .set("proxy-protocol", "on")
                .realm(GivenRealm.annAndBob())
                .context("/app", context -> context.servlet("site", new Site(), "/site"))
                .context("/basic", context -> context.servlet("staff", new WhoServlet(), "/*")
                        .constrain("/*", "staff")
                        .basicLogin("office"));
        for (int i = 0; i < keysAndValues.length; i += 2) {
            builder.set(keysAndValues[i], keysAndValues[i + 1]);
        }
        return builder;
    }

    private static RawExchange getSite(Penstock server, String header, String lines) throws IOException {
        return RawExchange.of(server, header + "GET /app/site HTTP/1.1\r\nHost: site.example\r\n" + lines + CLOSE);
    }

    @Test
    void theApplicationAndTheAccessLogGetTheAddressesOfTheProxyHeader() throws Exception {
        Path log = folder.resolve("access.log");
        try (Penstock server = server("access-log", log.toString(), "access-log-format", "c-ip c-port cs-uri")
                .start()) {
            assertEquals(
                    "192.0.2.1#56324 198.51.100.1#443 http://site.example/app/site",
                    getSite(server, HEADER, "X-Forwarded-For: 6.6.6.6\r\nX-Forwarded-Proto: https\r\n")
                            .body());
            assertEquals("", getSite(server, "", "").text());
            assertEquals(1, server.counters().get("proxy-headers-refused"));
        }
        assertEquals(
                List.of("192.0.2.1 56324 /app/site"),
                Files.readAllLines(log).stream()
                        .filter(line -> !line.startsWith("#"))
                        .toList());
    }

    @Test
    void failedLoginsAreCountedPerClientAddressOfTheProxyHeader() throws Exception {
        try (Penstock server = server("login-failures-address", "2", "login-failures-user", "0")
                .start()) {
            assertEquals(401, login(server, "192.0.2.1", "ann:wrong"));
            assertEquals(401, login(server, "192.0.2.1", "ann:worse"));
            assertEquals(429, login(server, "192.0.2.1", "ann:secret"));
            assertEquals(200, login(server, "192.0.2.2", "ann:secret"));
        }
    }

    private static int login(Penstock server, String client, String pair) throws IOException {
        String user = Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
        return RawExchange.of(
                        server,
                        "PROXY TCP4 " + client + " 198.51.100.1 1 443\r\nGET /basic/ HTTP/1.1\r\nHost: a\r\n"
                                + "Authorization: Basic " + user + "\r\n" + CLOSE)
                .status();
    }

    @Test
    void theProxyHeaderIsAcceptedBeforeTheTlsHandshakeAndAtTheRedirectPort() throws Exception {
        try (Penstock server =
                server("tls-self-signed", "on", "redirect-port", "0").start()) {
            int redirect = server.redirectAddress().orElseThrow().getPort();
            RawExchange led = RawExchange.of(redirect, HEADER + "GET /x HTTP/1.1\r\nHost: site.example\r\n" + CLOSE);
            assertEquals(List.of("https://site.example:" + server.port() + "/x"), led.values("Location"));
            assertEquals(
                    "192.0.2.1#56324 198.51.100.1#443 https://site.example/app/site",
                    overTls(server, HEADER).body());
            assertEquals(400, getSite(server, HEADER, "").status(), "a plain HTTP request to a TLS port must get 400");
        }
    }

    private static RawExchange overTls(Penstock server, String header) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new AnyCertificate()}, null);
        try (Socket plain = RawExchange.begin(server, header);
                Socket tls = context.getSocketFactory().createSocket(plain, null, server.port(), true)) {
            tls.getOutputStream()
                    .write(("GET /app/site HTTP/1.1\r\nHost: site.example\r\n" + CLOSE)
                            .getBytes(StandardCharsets.US_ASCII));
            return new RawExchange(new String(tls.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1));
        }
    }

    @Test
    void theAdminPortExpectsNoProxyHeader() throws Exception {
        try (Penstock server = server("admin-port", "0").start()) {
            RawExchange health = RawExchange.of(
                    server.adminAddress().orElseThrow().getPort(),
                    "GET /health/live HTTP/1.1\r\nHost: localhost\r\n" + CLOSE);
            assertEquals(200, health.status());
        }
    }

    @Test
    void anIncompleteProxyHeaderIsCountedAsATimeout() throws Exception {
        try (Penstock server = server("proxy-header-timeout", "50ms").start();
                Socket half = RawExchange.begin(server, "PROXY TCP4")) {
            assertEquals(-1, half.getInputStream().read());
            await().until(() -> server.counters().get("proxy-header-timeouts") == 1);
        }
    }
}

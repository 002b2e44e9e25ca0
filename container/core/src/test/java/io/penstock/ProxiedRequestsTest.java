package io.penstock;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.ServletContextEvent;
import jakarta.servlet.ServletContextListener;
import jakarta.servlet.annotation.HttpConstraint;
import jakarta.servlet.annotation.ServletSecurity;
import jakarta.servlet.annotation.ServletSecurity.TransportGuarantee;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the data that applications and operators get about a client behind a proxy. All test requests come from 127.0.0.1, so 127.0.0.1 is
 * the address of the proxy.
 */
class ProxiedRequestsTest {
    private static final String FOR = "X-Forwarded-For: 192.0.2.1";
    private static final String HTTPS = "X-Forwarded-Proto: https";

    @TempDir
    Path folder;

    /** Redirects, begins a session, or writes the data of the request, depending on the path. */
    private static final class Site extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            switch (request.getServletPath()) {
                case "/redirect" -> response.sendRedirect("there?a=b");
                case "/session" -> request.getSession();
                default ->
                    response.getWriter()
                            .print(String.join(
                                    " ",
                                    request.getRemoteAddr() + "#" + request.getRemotePort(),
                                    request.getRemoteHost(),
                                    request.getScheme(),
                                    "secure=" + request.isSecure(),
                                    request.getServerName() + "#" + request.getServerPort(),
                                    request.getRequestURL(),
                                    "encrypted="
                                            + request.getServletConnection().isSecure(),
                                    "tls=" + (request.getAttribute("jakarta.servlet.request.cipher_suite") != null),
                                    "local=" + request.getLocalAddr(),
                                    "Host=" + request.getHeader("Host")));
            }
        }
    }

    /** A servlet that requires HTTPS. */
    @ServletSecurity(@HttpConstraint(transportGuarantee = TransportGuarantee.CONFIDENTIAL))
    public static class Confidential extends WhoServlet {}

    private static final class Registering implements ServletContextListener {
        @Override
        public void contextInitialized(ServletContextEvent event) {
            event.getServletContext()
                    .addServlet("confidential", Confidential.class)
                    .addMapping("/confidential");
        }
    }

    private Penstock.Builder site(String... keysAndValues) {
        Penstock.Builder builder = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .realm(GivenRealm.annAndBob())
                .context("/app", context -> context.listener(new Registering())
                        .servlet("site", new Site(), "/told", "/redirect", "/session")
                        .servlet("desk", new WhoServlet(), "/desk/*")
                        .servlet("login", new LoginFormServlet("login"), "/login", "/wrong")
                        .constrain("/desk/*", "staff")
                        .formLogin("/login", "/wrong"))
                .context("/basic", context -> context.servlet("staff", new WhoServlet(), "/*")
                        .constrain("/*", "staff")
                        .basicLogin("office"));
        for (int i = 0; i < keysAndValues.length; i += 2) {
            builder.set(keysAndValues[i], keysAndValues[i + 1]);
        }
        return builder;
    }

    private Penstock trusting(String... keysAndValues) throws StartException {
        return site(keysAndValues)
                .set("trusted-proxies", "127.0.0.1, 10.0.0.0/8")
                .start();
    }

    private static String requestData(Penstock server, String... lines) throws IOException {
        RawExchange exchange = RawExchange.get(server, "/app/told", lines);
        assertEquals(200, exchange.status(), exchange.text());
        return exchange.body();
    }

    private static String session(RawExchange answer) {
        List<String> cookies = answer.values("Set-Cookie");
        assertEquals(1, cookies.size(), answer.text());
        return cookies.get(0).substring("JSESSIONID=".length(), cookies.get(0).indexOf(';'));
    }

    @Test
    void applicationsSeeTheClientAddressAndTheUrlFromTheForwardingFields() throws Exception {
        try (Penstock server = trusting()) {
            assertEquals(
                    "192.0.2.1#-1 192.0.2.1 https secure=true site.example#443 https://site.example/app/told "
                            + "encrypted=false tls=false local=127.0.0.1 Host=good.example",
                    requestData(server, FOR, HTTPS, "X-Forwarded-Host: site.example"));
            assertEquals(
                    "2001:db8:0:0:0:0:0:1#4711 2001:db8:0:0:0:0:0:1 https secure=true site.example#8443 "
                            + "https://site.example:8443/app/told encrypted=false tls=false local=127.0.0.1 Host=good.example",
                    requestData(
                            server,
                            "X-Forwarded-For: 6.6.6.6, [2001:db8::1]:4711, 10.0.0.1",
                            HTTPS,
                            "X-Forwarded-Host: site.example:80",
                            "X-Forwarded-Port: 8443"));
            assertTrue(requestData(server, "X-Forwarded-Port: 81").contains(" http://good.example:81/app/told "));
            assertTrue(requestData(server, HTTPS).contains(" https://good.example/app/told "));
            assertTrue(requestData(server, "X-Forwarded-For: unknown").startsWith("unknown#-1 unknown http "));
        }
    }

    @Test
    void theHttpFieldNamedForwardedIsIgnoredByDefault() throws Exception {
        try (Penstock server = trusting()) {
            String own = requestData(server, "Forwarded: for=192.0.2.1;proto=https;host=evil.example");
            assertTrue(own.startsWith("127.0.0.1#"), own);
            assertTrue(own.contains(" http secure=false good.example#80 http://good.example/app/told "), own);
        }
    }

    @Test
    void onlyTheConfiguredForwardingFieldsAreUsed() throws Exception {
        try (Penstock server = trusting("forwarded-fields", "forwarded")) {
            assertEquals(
                    "192.0.2.1#4711 192.0.2.1 https secure=true site.example#443 https://site.example/app/told "
                            + "encrypted=false tls=false local=127.0.0.1 Host=good.example",
                    requestData(
                            server,
                            "Forwarded: for=6.6.6.6;proto=http, for=\"192.0.2.1:4711\";host=site.example;proto=https",
                            "Forwarded: for=10.0.0.1",
                            "X-Forwarded-For: 6.6.6.6",
                            "X-Forwarded-Proto: http",
                            "X-Forwarded-Host: evil.example"));
            assertTrue(requestData(server, "Forwarded: for=_hidden").startsWith("_hidden#-1 _hidden http "));
            assertTrue(requestData(server, FOR, HTTPS).startsWith("127.0.0.1#"));
        }
    }

    @Test
    void forwardingFieldsOfUntrustedClientsAreIgnored() throws Exception {
        for (String trusted : List.of("none", "10.0.0.0/8, 127.0.0.2, ::/0")) {
            try (Penstock server = site("trusted-proxies", trusted).start()) {
                String told = requestData(server, FOR, HTTPS, "X-Forwarded-Host: evil.example", "X-Forwarded-Port: 1");
                assertTrue(told.startsWith("127.0.0.1#"), told);
                assertTrue(told.contains(" http secure=false good.example#80 "), told);
                assertEquals(
                        200,
                        RawExchange.get(server, "/app/told", "X-Forwarded-For: ;;;")
                                .status());
                assertEquals(
                        403, RawExchange.get(server, "/app/confidential", HTTPS).status());
            }
        }
    }

    @Test
    void aRequestWithAMalformedForwardingFieldGets400AndIsLogged() throws Exception {
        Path log = folder.resolve("access.log");
        try (Penstock server = trusting(
                "access-log", log.toString(), "access-log-format", "c-ip cs-method cs-uri sc-status x-reason")) {
            RawExchange refused = RawExchange.get(server, "/app/told", "X-Forwarded-For: 192.0.2.1, garbage");
            assertEquals(400, refused.status());
            assertEquals(
                    400,
                    RawExchange.get(server, "/app/told", FOR, "X-Forwarded-Proto: ftp")
                            .status());
        }
        assertEquals(
                List.of(
                        "127.0.0.1 GET /app/told 400 malformed%20address%20in%20a%20field%20of%20a%20proxy",
                        "127.0.0.1 GET /app/told 400 malformed%20scheme%20in%20a%20field%20of%20a%20proxy"),
                lines(log));
    }

    @Test
    void redirectsUseTheForwardedSchemeAndHost() throws Exception {
        Files.createDirectories(folder.resolve("files/sub"));
        try (Penstock server = site("trusted-proxies", "127.0.0.1")
                .war("/files", folder.resolve("files"))
                .start()) {
            String host = "X-Forwarded-Host: site.example";
            String origin = "https://site.example";
            for (String[] led : new String[][] {
                {"/app/redirect", origin + "/app/there?a=b"},
                {"/app", origin + "/app/"},
                {"/files/sub", origin + "/files/sub/"}
            }) {
                RawExchange answer = RawExchange.get(server, led[0], HTTPS, host);
                assertEquals(List.of(led[1]), answer.values("Location"), answer.text());
            }
        }
    }

    @Test
    void aFormLoginRedirectsToTheForwardedSchemeAndHost() throws Exception {
        try (Penstock server = trusting()) {
            String[] by = {FOR, HTTPS, "X-Forwarded-Host: site.example"};
            RawExchange form = RawExchange.get(server, "/app/desk/a?q=1", by);
            assertEquals(200, form.status());
            String user = "j_username=ann&j_password=secret";
            RawExchange led = RawExchange.of(
                    server,
                    "POST /app/desk/j_security_check HTTP/1.1\r\nHost: good.example\r\n" + String.join("\r\n", by)
                            + "\r\nConnection: close\r\nCookie: JSESSIONID=" + session(form)
                            + "\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: "
                            + user.length() + "\r\n\r\n" + user);
            assertEquals(303, led.status());
            assertEquals(List.of("https://site.example/app/desk/a?q=1"), led.values("Location"));
        }
    }

    @Test
    void secureCookiesAndTransportGuaranteesDependOnTheForwardedScheme() throws Exception {
        try (Penstock server = trusting()) {
            assertTrue(cookie(server, HTTPS).contains("; Secure"));
            assertFalse(cookie(server, FOR).contains("; Secure"));
            assertFalse(cookie(server, "Forwarded: proto=https").contains("; Secure"));
            assertEquals(
                    200, RawExchange.get(server, "/app/confidential", HTTPS).status());
            assertEquals(403, RawExchange.get(server, "/app/confidential", FOR).status());
            assertEquals(
                    403,
                    RawExchange.get(server, "/app/confidential", HTTPS, "X-Forwarded-Proto: http")
                            .status());
        }
    }

    private static String cookie(Penstock server, String line) throws IOException {
        return RawExchange.get(server, "/app/session", line)
                .values("Set-Cookie")
                .get(0);
    }

    @Test
    void failedLoginsAreCountedForEachForwardedClientAddress() throws Exception {
        try (Penstock server = trusting("login-failures-address", "2", "login-failures-user", "0")) {
            for (int i = 0; i < 2; i++) {
                assertEquals(401, basic(server, "ann:wrong" + i, "192.0.2.1"));
            }
            assertEquals(429, basic(server, "bob:secret", "192.0.2.1"));
            assertEquals(429, basic(server, "bob:secret", "6.6.6.6, 192.0.2.1"));
            assertEquals(401, basic(server, "bob:wrong", "192.0.2.2"));
            assertEquals(200, basic(server, "ann:secret", "192.0.2.3"));
        }
    }

    private static int basic(Penstock server, String pair, String client) throws IOException {
        String encoded = Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
        return RawExchange.get(server, "/basic/", "Authorization: Basic " + encoded, "X-Forwarded-For: " + client)
                .status();
    }

    @Test
    void theAccessLogHasTheForwardedAddressAndTheMetricsHaveTheForwardedScheme() throws Exception {
        Path log = folder.resolve("access.log");
        try (Penstock server = trusting(
                "request-metrics", "on", "access-log", log.toString(), "access-log-format", "c-ip c-port cs-uri")) {
            RawExchange.get(server, "/app/told?1", FOR, HTTPS);
            RawExchange.get(server, "/none?2", "X-Forwarded-For: 2001:db8::7");
            RawExchange.get(server, "/app/told?3", "X-Forwarded-For: unknown");
            await().until(() -> kinds(server).equals(Set.of("https 200", "http 404", "http 200")));
        }
        assertEquals(
                List.of("192.0.2.1 0 /app/told?1", "2001:db8:0:0:0:0:0:7 0 /none?2", "unknown 0 /app/told?3"),
                lines(log));
    }

    private static List<String> lines(Path log) throws IOException {
        return Files.readAllLines(log, StandardCharsets.US_ASCII).stream()
                .filter(line -> !line.startsWith("#"))
                .toList();
    }

    /** Returns the kinds of ended requests as scheme and status, such as {@code https 200}. */
    private static Set<String> kinds(Penstock server) {
        return EndedRequests.kinds(server, "url.scheme", "http.response.status_code");
    }

    /**
     * The TLS data of the connection belongs to the proxy. The application does not get this data if the proxy forwards a request of a
     * client.
     */
    @Test
    void forwardedRequestsDoNotExposeTheTlsDataOfTheProxyConnection() throws Exception {
        try (Penstock server = trusting("tls-self-signed", "on", "hsts", "1h", "redirect-port", "0");
                HttpsClient proxy = new HttpsClient(server.port(), null)) {
            RawExchange own = proxy.send("GET /app/told HTTP/1.1\r\nHost: a\r\n\r\n");
            assertTrue(
                    own.body().contains(" https secure=true a#443 https://a/app/told encrypted=true tls=true "),
                    own.body());
            RawExchange plain =
                    proxy.send("GET /app/told HTTP/1.1\r\nHost: a\r\n" + FOR + "\r\nX-Forwarded-Proto: http\r\n\r\n");
            assertTrue(
                    plain.body()
                            .startsWith(
                                    "192.0.2.1#-1 192.0.2.1 http secure=false a#80 http://a/app/told encrypted=true tls=false "),
                    plain.body());
            RawExchange secure = proxy.send("GET /app/told HTTP/1.1\r\nHost: a\r\n" + FOR + "\r\n\r\n");
            assertTrue(secure.body().contains(" https secure=true a#443 https://a/app/told encrypted=true tls=false "));
            assertEquals(List.of("max-age=3600"), secure.values("Strict-Transport-Security"));
            int port = server.redirectAddress().orElseThrow().getPort();
            RawExchange led = RawExchange.of(
                    port,
                    "GET /x HTTP/1.1\r\nHost: a\r\nX-Forwarded-Host: site.example:80\r\nConnection: close\r\n\r\n");
            assertEquals(List.of("https://site.example:" + server.port() + "/x"), led.values("Location"));
        }
    }

    @Test
    void aRedirectOverPlainHttpHasNoHstsFieldEvenIfTheForwardedSchemeIsHttps() throws Exception {
        try (Penstock server = trusting("tls-self-signed", "on", "hsts", "1h", "redirect-port", "0")) {
            int port = server.redirectAddress().orElseThrow().getPort();
            RawExchange led =
                    RawExchange.of(port, "GET /x HTTP/1.1\r\nHost: a\r\n" + HTTPS + "\r\nConnection: close\r\n\r\n");
            assertEquals(List.of(), led.values("Strict-Transport-Security"));
        }
    }

    @Test
    void requestsOnOneProxyConnectionCanHaveDifferentClientAddresses() throws Exception {
        try (Penstock server = trusting()) {
            String head = "GET /app/told HTTP/1.1\r\nHost: good.example\r\n";
            RawExchange both = RawExchange.of(
                    server,
                    head + FOR + "\r\n" + HTTPS + "\r\n\r\n" + head + "X-Forwarded-For: 192.0.2.2\r\n\r\n" + head
                            + "Connection: close\r\n\r\n");
            int first = both.text().indexOf("192.0.2.1#-1 192.0.2.1 https");
            int second = both.text().indexOf("192.0.2.2#-1 192.0.2.2 http ");
            int third = both.text().indexOf("127.0.0.1#");
            assertTrue(first > 0 && second > first && third > second, both.text());
        }
    }
}

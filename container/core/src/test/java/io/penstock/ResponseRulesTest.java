package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.metrics.Gauge;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests response rules. A rule adds a header field to the responses for a path. A field from the application takes precedence. */
class ResponseRulesTest {
    private static final String POLICY = "default-src 'self'; script-src 'self' https://cdn.example:8443";
    private static final String IMMUTABLE = "public, max-age=31536000, immutable";
    private static final String RULES = """
        # for everybody
        /*               Content-Security-Policy: default-src 'self';
                         script-src 'self' https://cdn.example:8443
        /*               X-Content-Type-Options: nosniff
        /*               Cache-Control: no-cache
        /site/assets/* fingerprinted Cache-Control: public, max-age=31536000, immutable
        /site/secret/*   Cache-Control: public, max-age=31536000, immutable
        /site/plain/*    Content-Security-Policy:
        /site/exact.txt  Cache-Control: no-transform
        /site/texts/*    Cache-Control: no-transform
        /site/texts/v1/* Cache-Control: public, max-age=60
        """;

    @TempDir
    Path folder;

    /** Runs the action that the request path names. */
    private static final class Site extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            switch (request.getServletPath()) {
                case "/own" -> response.setHeader("content-security-policy", "default-src 'none'");
                case "/late" -> {
                    response.setBufferSize(64);
                    response.getOutputStream().write("x".getBytes(StandardCharsets.US_ASCII));
                    response.setHeader("Cache-Control", "max-age=7");
                    response.setHeader("Vary", "Accept-Language");
                    response.getOutputStream().write(new byte[100_000]);
                    response.setHeader("Cache-Control", "too late");
                }
                case "/removed" -> {
                    response.setHeader("Cache-Control", "max-age=7");
                    response.setHeader("Cache-Control", null);
                }
                case "/error" -> response.sendError(418);
                case "/fails" -> throw new IOException("on purpose");
                case "/moved" -> response.sendRedirect("elsewhere");
                case "/text", "/texts/v1/plain" -> text(response);
                case "/texts/v1/cookie" -> {
                    response.addCookie(new Cookie("name", "value"));
                    text(response);
                }
                case "/texts/own" -> {
                    response.setHeader("Cache-Control", "max-age=7");
                    text(response);
                }
                case "/page" -> response.getWriter().print("An error page.");
                default -> response.getWriter().print("ok");
            }
        }

        private static void text(HttpServletResponse response) throws IOException {
            response.setContentType("text/plain");
            response.getOutputStream().write("abc ".repeat(2000).getBytes(StandardCharsets.US_ASCII));
        }
    }

    private Penstock start(String... keysAndValues) throws Exception {
        Path files = Files.createDirectories(folder.resolve("files"));
        Files.createDirectories(files.resolve("assets"));
        Files.writeString(files.resolve("assets/app.3f9a1c2b.js"), "start()");
        Files.writeString(files.resolve("assets/app.js"), "start()");
        Files.writeString(files.resolve("exact.txt"), "text ".repeat(2000));
        Path rules = Files.writeString(folder.resolve("rules.txt"), RULES);
        Penstock.Builder builder = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(1)
                .set("response-rules", rules.toString())
                .set("/site:compression", "on")
                .realm(GivenRealm.annAndBob())
                .context("/site", context -> context.resources(files)
                        .servlet("site", new Site(), "/own", "/late", "/removed", "/error", "/fails", "/moved", "/text")
                        .servlet("texts", new Site(), "/texts/own", "/texts/v1/plain", "/texts/v1/cookie")
                        .servlet("more", new Site(), "/page", "/plain/*", "/secret/*")
                        .errorPage(418, "/page")
                        .basicLogin("site")
                        .constrain("/secret/*", "staff"));
        for (int i = 0; i < keysAndValues.length; i += 2) {
            builder.set(keysAndValues[i], keysAndValues[i + 1]);
        }
        return builder.start();
    }

    private static void assertRules(int status, String cacheControl, RawExchange exchange) {
        assertEquals(status, exchange.status(), exchange.head());
        assertEquals(List.of(POLICY), exchange.values("Content-Security-Policy"), exchange.head());
        assertEquals(List.of("nosniff"), exchange.values("X-Content-Type-Options"), exchange.head());
        assertEquals(List.of(cacheControl), exchange.values("Cache-Control"), exchange.head());
    }

    @Test
    void rulesApplyToAllResponsesOfAnApplication() throws Exception {
        try (Penstock server = start()) {
            assertRules(200, "no-cache", RawExchange.get(server, "/site/page"));
            assertRules(200, "no-cache", RawExchange.get(server, "/site/assets/app.js"));
            RawExchange hashed = RawExchange.get(server, "/site/assets/app.3f9a1c2b.js");
            assertRules(200, IMMUTABLE, hashed);
            assertEquals("start()", hashed.body());
            String tag = hashed.values("ETag").get(0);
            assertRules(
                    304, IMMUTABLE, RawExchange.get(server, "/site/assets/app.3f9a1c2b.js", "If-None-Match: " + tag));
            assertRules(206, IMMUTABLE, RawExchange.get(server, "/site/assets/app.3f9a1c2b.js", "Range: bytes=1-2"));
            RawExchange missing = RawExchange.get(server, "/site/assets/old.3f9a1c2b.js");
            assertRules(404, "no-cache", missing);
            assertRules(418, "no-cache", RawExchange.get(server, "/site/error"));
            assertRules(500, "no-cache", RawExchange.get(server, "/site/fails"));
            assertRules(302, "no-cache", RawExchange.get(server, "/site/moved"));
            assertRules(302, "no-cache", RawExchange.get(server, "/site"));
        }
    }

    @Test
    void aFieldOfTheApplicationOverridesTheFieldOfARule() throws Exception {
        try (Penstock server = start()) {
            RawExchange own = RawExchange.get(server, "/site/own");
            assertEquals(List.of("default-src 'none'"), own.values("Content-Security-Policy"));
            assertEquals(List.of("no-cache"), own.values("Cache-Control"));
            RawExchange late = RawExchange.get(server, "/site/late");
            assertEquals(List.of("max-age=7"), late.values("Cache-Control"));
            assertEquals(
                    List.of("no-cache"),
                    RawExchange.get(server, "/site/removed").values("Cache-Control"),
                    "the application must not remove the field of a rule");
            RawExchange plain = RawExchange.get(server, "/site/plain/x");
            assertEquals(
                    List.of(), plain.values("Content-Security-Policy"), "a rule without a value must remove the field");
        }
    }

    @Test
    void aRuleDoesNotAllowSharedCachesToStoreAProtectedPage() throws Exception {
        try (Penstock server = start()) {
            RawExchange asked = RawExchange.get(server, "/site/secret/x");
            assertEquals(401, asked.status());
            assertEquals(
                    List.of("no-cache"),
                    asked.values("Cache-Control"),
                    "a rule that lets caches store responses must not apply to a 401");
            assertEquals(List.of(POLICY), asked.values("Content-Security-Policy"));
            RawExchange got = RawExchange.get(server, "/site/secret/x", "Authorization: Basic YW5uOnNlY3JldA==");
            assertRules(200, "private", got);
        }
    }

    @Test
    void rulesApplyToCompressedResponsesAndTheNoTransformDirectivePreventsCompression() throws Exception {
        try (Penstock server = start()) {
            RawExchange text = RawExchange.get(server, "/site/text", "Accept-Encoding: gzip");
            assertRules(200, "no-cache", text);
            assertEquals(List.of("gzip"), text.values("Content-Encoding"));
            RawExchange exact = RawExchange.get(server, "/site/exact.txt", "Accept-Encoding: gzip");
            assertRules(200, "no-transform", exact);
            assertEquals(List.of(), exact.values("Content-Encoding"));
        }
    }

    @Test
    void aNoTransformRulePreventsCompressionUnlessAnotherCacheControlReplacesIt() throws Exception {
        try (Penstock server = start()) {
            RawExchange stored = RawExchange.get(server, "/site/texts/v1/plain", "Accept-Encoding: gzip");
            assertRules(200, "public, max-age=60", stored);
            assertEquals(List.of("gzip"), stored.values("Content-Encoding"));
            RawExchange withCookie = RawExchange.get(server, "/site/texts/v1/cookie", "Accept-Encoding: gzip");
            assertRules(200, "no-transform", withCookie);
            assertEquals(List.of(), withCookie.values("Content-Encoding"));
            RawExchange own = RawExchange.get(server, "/site/texts/own", "Accept-Encoding: gzip");
            assertRules(200, "max-age=7", own);
            assertEquals(List.of("gzip"), own.values("Content-Encoding"));
        }
    }

    /** A reactor (event loop) sends the responses to these requests, in some cases before it has parsed the path. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "404 GET /none HTTP/1.1\r\nHost: x\r\n\r\n",
                "400 GET / HTTP/1.1\r\nHost: x\r\nBad Name: x\r\n\r\n",
                "400 nonsense\r\n\r\n",
                "400 GET /a%00b HTTP/1.1\r\nHost: x\r\n\r\n",
                "413 POST /site/page HTTP/1.1\r\nHost: x\r\nContent-Length: 1000001\r\n\r\n",
                "417 GET /site/page HTTP/1.1\r\nHost: x\r\nExpect: more\r\n\r\n",
                "501 CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n",
                "505 GET / HTTP/3.0\r\nHost: x\r\n\r\n",
                "200 OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
            })
    void rulesApplyToResponsesThatTheServerSendsWithoutAnApplication(String statusAndBytes) throws Exception {
        String bytes = statusAndBytes.substring(4).replace("HTTP/1.1\r\nHost", "HTTP/1.1\r\nConnection: close\r\nHost");
        try (Penstock server = start("body-limit", "1000000")) {
            assertRules(Integer.parseInt(statusAndBytes.substring(0, 3)), "no-cache", RawExchange.of(server, bytes));
        }
    }

    @Test
    void rulesApplyToRefusedConnectionsAndToRequestsAboveTheRateLimit() throws Exception {
        try (Penstock server = start("max-connections", "1");
                Socket open = new Socket("127.0.0.1", server.port())) {
            Awaitility.await().until(() -> server.gauges().get(Gauge.CONNECTIONS.id()) == 1);
            assertTrue(open.isConnected());
            assertRules(503, "no-cache", RawExchange.of(server, ""));
        }
        try (Penstock server = start("request-rate", "1", "request-burst", "1")) {
            RawExchange refused = RawExchange.get(server, "/site/page");
            // The limit is one request per second. On a busy machine two requests can be more than a second apart, and
            // the server then allows both requests. So the loop sends requests until the server refuses a request.
            for (int i = 0; refused.status() == 200 && i < 1000; i++) {
                refused = RawExchange.get(server, "/site/page");
            }
            assertRules(429, "no-cache", refused);
        }
    }

    @Test
    void theServerDoesNotStartIfTheRulesFileIsInvalid() throws Exception {
        Path wrong = Files.writeString(folder.resolve("wrong.txt"), "/* X-Own: x\n/* Content-Length: 7\n");
        StartException error = assertThrows(StartException.class, () -> start("response-rules", wrong.toString()));
        assertEquals(
                "response-rules: " + wrong
                        + ":2: Content-Length is not for rules: the server or the application sets it for each"
                        + " response",
                error.getMessage());
    }
}

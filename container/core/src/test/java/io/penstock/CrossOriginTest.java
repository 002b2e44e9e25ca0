package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests requests from pages of other origins (CORS; Fetch standard, section 3.2). A file of response rules sets the allowed origins. The
 * tests use real sockets.
 */
class CrossOriginTest {
    private static final String RULES = """
            /api/*       Access-Control-Allow-Origin: https://app.example, https://other.example:8443
            /api/*       Access-Control-Allow-Methods: PUT, DELETE
            /api/*       Access-Control-Allow-Headers: Content-Type, X-Token
            /api/*       Access-Control-Expose-Headers: X-Total
            /api/*       Access-Control-Allow-Credentials: true
            /api/*       Access-Control-Max-Age: 600
            /api/font/*  Access-Control-Allow-Origin: *
            /api/own/*   Access-Control-Allow-Origin:
            """;
    private static final String ALLOWED_ORIGIN = "Origin: https://app.example";
    private static final String FORBIDDEN_ORIGIN = "Origin: https://evil.example";

    @TempDir
    Path folder;

    private final AtomicInteger served = new AtomicInteger();
    private Penstock server;

    @BeforeEach
    void start() throws Exception {
        Path rules = Files.writeString(folder.resolve("rules.txt"), RULES);
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(1)
                .set("response-rules", rules.toString())
                .realm(GivenRealm.annAndBob())
                .context("/api", context -> context.servlet("all", site(), "/*")
                        .basicLogin("site")
                        .constrain("/secret/*", "staff"))
                .start();
    }

    private HttpServlet site() {
        return new HttpServlet() {
            @Override
            protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
                served.incrementAndGet();
                if (request.getParameter("own") != null) {
                    response.setHeader("Access-Control-Allow-Origin", request.getParameter("own"));
                }
                if (request.getParameter("vary") != null) {
                    response.setHeader("Vary", request.getParameter("vary"));
                }
                if (request.getParameter("status") != null) {
                    response.sendError(Integer.parseInt(request.getParameter("status")));
                } else {
                    response.getWriter().print(request.getMethod());
                }
            }
        };
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private RawExchange preflight(String path, String... lines) throws IOException {
        return RawExchange.of(
                server,
                "OPTIONS " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + String.join("\r\n", lines)
                        + "\r\n\r\n");
    }

    private static void assertField(String name, String value, RawExchange exchange) {
        assertEquals(value == null ? List.of() : List.of(value), exchange.values(name), exchange.head());
    }

    @Test
    void theServerRespondsToAPreflightWithoutALoginAndDoesNotCallTheServlet() throws Exception {
        for (String path : List.of("/api/x", "/api/secret/x")) {
            RawExchange answer = preflight(
                    path,
                    ALLOWED_ORIGIN,
                    "Access-Control-Request-Method: PUT",
                    "Access-Control-Request-Headers: x-token");
            assertEquals(204, answer.status(), answer.head());
            assertField("Access-Control-Allow-Origin", "https://app.example", answer);
            assertField("Access-Control-Allow-Credentials", "true", answer);
            assertField("Access-Control-Allow-Methods", "PUT, DELETE", answer);
            assertField("Access-Control-Allow-Headers", "Content-Type, X-Token", answer);
            assertField("Access-Control-Max-Age", "600", answer);
            assertField("Access-Control-Expose-Headers", null, answer);
            assertField("Vary", "Origin, Access-Control-Request-Method, Access-Control-Request-Headers", answer);
            assertField("Content-Length", null, answer);
            assertField("Content-Type", null, answer);
            assertEquals("", answer.body());
        }
        assertEquals(0, served.get());
        assertEquals(
                401, RawExchange.get(server, "/api/secret/x", ALLOWED_ORIGIN).status());
    }

    @Test
    void theConnectionStaysOpenAfterAPreflight() throws Exception {
        String both = "OPTIONS /api/x HTTP/1.1\r\nHost: x\r\n" + ALLOWED_ORIGIN
                + "\r\nAccess-Control-Request-Method: PUT\r\n\r\n"
                + "PUT /api/x HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nConnection: close\r\n" + ALLOWED_ORIGIN
                + "\r\n\r\nx";
        String text = RawExchange.of(server, both).text();
        assertTrue(text.startsWith("HTTP/1.1 204 "), text);
        assertTrue(text.contains("\r\n\r\nHTTP/1.1 200 "), text);
        assertTrue(text.endsWith("\r\n\r\nPUT"), text);
    }

    @Test
    void aForbiddenOriginGetsNoAccessControlFields() throws Exception {
        RawExchange answer = preflight("/api/x", FORBIDDEN_ORIGIN, "Access-Control-Request-Method: PUT");
        assertEquals(204, answer.status());
        assertTrue(answer.head().lines().noneMatch(line -> line.startsWith("Access-Control-")), answer.head());
        RawExchange got = RawExchange.get(server, "/api/x", FORBIDDEN_ORIGIN);
        assertEquals(200, got.status(), "the server must answer; the browser hides the response");
        assertTrue(got.head().lines().noneMatch(line -> line.startsWith("Access-Control-")), got.head());
        assertField("Vary", "Origin", got);
        for (String similar : List.of(
                "https://app.example.evil",
                "http://app.example",
                "https://app.example:443",
                "https://APP.example",
                "null",
                "https://app.example, https://evil.example")) {
            assertField("Access-Control-Allow-Origin", null, RawExchange.get(server, "/api/x", "Origin: " + similar));
        }
    }

    @Test
    void anAllowedOriginGetsAccessControlFieldsAlsoInErrorResponses() throws Exception {
        RawExchange got = RawExchange.get(server, "/api/x?vary=Accept", "Origin: https://other.example:8443");
        assertEquals(200, got.status());
        assertField("Access-Control-Allow-Origin", "https://other.example:8443", got);
        assertField("Access-Control-Allow-Credentials", "true", got);
        assertField("Access-Control-Expose-Headers", "X-Total", got);
        assertField("Access-Control-Allow-Methods", null, got);
        assertEquals(2, got.values("Vary").size(), got.head());
        assertTrue(got.values("Vary").containsAll(List.of("Accept", "Origin")), got.head());
        assertField("Vary", "Origin", RawExchange.get(server, "/api/x?vary=Origin", ALLOWED_ORIGIN));
        assertField("Vary", "Origin", RawExchange.get(server, "/api/x"));
        assertEquals(
                401, RawExchange.get(server, "/api/secret/x", ALLOWED_ORIGIN).status());
        for (RawExchange failed : List.of(
                RawExchange.get(server, "/api/x?status=503", ALLOWED_ORIGIN),
                RawExchange.get(server, "/api/secret/x", ALLOWED_ORIGIN))) {
            assertField("Access-Control-Allow-Origin", "https://app.example", failed);
        }
    }

    @Test
    void aRuleForAllOriginsAllowsEveryOriginButNoCredentials() throws Exception {
        RawExchange got = RawExchange.get(server, "/api/font/a", FORBIDDEN_ORIGIN);
        assertField("Access-Control-Allow-Origin", "*", got);
        assertField("Access-Control-Allow-Credentials", null, got);
        assertField("Vary", null, got);
        assertField("Access-Control-Allow-Origin", "*", RawExchange.get(server, "/api/font/a"));
    }

    @Test
    void accessControlFieldsOfTheApplicationTakePrecedenceOverTheRules() throws Exception {
        RawExchange got = RawExchange.get(server, "/api/x?own=https://evil.example", ALLOWED_ORIGIN);
        assertField("Access-Control-Allow-Origin", "https://evil.example", got);
        assertField("Access-Control-Allow-Credentials", null, got);
        RawExchange asked = preflight("/api/own/x", ALLOWED_ORIGIN, "Access-Control-Request-Method: PUT");
        assertEquals(200, asked.status(), "the preflight did not reach the application");
        assertEquals("OPTIONS", asked.body());
        assertField("Access-Control-Allow-Origin", null, asked);
    }

    @Test
    void theApplicationReceivesRequestsThatAreNotPreflights() throws Exception {
        assertEquals("OPTIONS", preflight("/api/x", ALLOWED_ORIGIN).body());
        assertEquals(
                "OPTIONS",
                preflight("/api/x", "Access-Control-Request-Method: PUT").body());
        assertEquals(
                "GET",
                RawExchange.get(server, "/api/x", ALLOWED_ORIGIN, "Access-Control-Request-Method: PUT")
                        .body());
    }
}

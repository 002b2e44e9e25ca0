package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Servlet 6.1, sections 2.1.2 and 2.1.3: the method TRACE. With {@code trace-method = on} a servlet returns the request without the sensitive
 * header fields; otherwise the server refuses the method. The server does not support CONNECT, because CONNECT is a method for proxies.
 */
class TraceTest {

    private static Penstock start(String traceMethod) throws StartException {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(1)
                .set("trace-method", traceMethod)
                .set("admin-port", "0")
                .context("/", context -> context.servlet(
                                "plain",
                                new HttpServlet() {
                                    @Override
                                    protected void doGet(HttpServletRequest request, HttpServletResponse response) {}
                                },
                                "/plain")
                        .servlet(
                                "own",
                                new HttpServlet() {
                                    @Override
                                    protected void doOptions(HttpServletRequest request, HttpServletResponse response) {
                                        response.setHeader("Allow", "TRACER,TRACE ,PUT");
                                    }
                                },
                                "/own"))
                .start();
    }

    private static RawExchange trace(Penstock server, String target) throws Exception {
        return RawExchange.of(server, "TRACE " + target + """
                 HTTP/1.1
                Host: good.example
                X-Seen: yes
                Cookie: JSESSIONID=secret
                Authorization: Basic secret
                Proxy-Authorization: Basic secret
                Forwarded: for=secret
                Connection: close

                """.replace("\n", "\r\n"));
    }

    /** RFC 9110 section 15.5.6: a 405 names the methods that are allowed. */
    @Test
    void aTraceRequestIsRefusedUnlessTheKeyAllowsIt() throws Exception {
        try (Penstock server = start("off")) {
            for (String target : List.of("/plain", "/missing")) {
                RawExchange answer = trace(server, target);
                assertEquals(405, answer.status(), target);
                assertEquals(List.of("GET, HEAD, POST, PUT, DELETE, OPTIONS"), answer.values("Allow"));
                assertFalse(answer.text().contains("X-Seen"), answer.text());
            }
            assertEquals(2L, server.counters().get("traces-refused"));
            assertEquals(
                    2,
                    AdminPort.of(server)
                            .metrics()
                            .value(
                                    "penstock_refusals_total{http_response_status_code=\"405\",reason=\"trace-method\"}"));
        }
    }

    @Test
    void theResponseToATraceRequestOmitsSensitiveHeaderFields() throws Exception {
        try (Penstock server = start("on")) {
            RawExchange answer = trace(server, "/plain");
            assertEquals(200, answer.status());
            assertTrue(answer.body().contains("X-Seen: yes"), answer.text());
            assertFalse(answer.body().contains("secret"), answer.text());
        }
    }

    private static RawExchange options(Penstock server, String target) throws Exception {
        return RawExchange.of(
                server, "OPTIONS " + target + " HTTP/1.1\r\nHost: good.example\r\nConnection: close\r\n\r\n");
    }

    @Test
    void theAnswerToOptionsNamesTraceOnlyIfTheKeyAllowsIt() throws Exception {
        try (Penstock server = start("off")) {
            assertEquals(
                    List.of("GET, HEAD, OPTIONS"), options(server, "/plain").values("Allow"));
            assertEquals(List.of("TRACER, PUT"), options(server, "/own").values("Allow"));
            assertEquals(
                    List.of("GET, HEAD, POST, PUT, DELETE, OPTIONS"),
                    options(server, "*").values("Allow"));
        }
        try (Penstock server = start("on")) {
            assertEquals(
                    List.of("GET, HEAD, TRACE, OPTIONS"),
                    options(server, "/plain").values("Allow"));
        }
    }

    @Test
    void aConnectRequestGets501() throws Exception {
        try (Penstock server = start("off")) {
            RawExchange answer = RawExchange.of(
                    server, "CONNECT good.example:443 HTTP/1.1\r\nHost: good.example:443\r\nConnection: close\r\n\r\n");
            assertEquals(501, answer.status());
        }
    }
}

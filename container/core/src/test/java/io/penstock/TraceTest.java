package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.http.HttpServlet;
import org.junit.jupiter.api.Test;

/**
 * Servlet 6.1, sections 2.1.2 and 2.1.3: TRACE returns the request without the sensitive header fields. The server does not support
 * CONNECT, because CONNECT is a method for proxies.
 */
class TraceTest {

    private static Penstock start() throws StartException {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .context("/", context -> context.servlet("plain", new HttpServlet() {}, "/plain"))
                .start();
    }

    @Test
    void theResponseToATraceRequestOmitsSensitiveHeaderFields() throws Exception {
        try (Penstock server = start()) {
            RawExchange answer = RawExchange.of(server, """
                    TRACE /plain HTTP/1.1
                    Host: good.example
                    X-Seen: yes
                    Cookie: JSESSIONID=secret
                    Authorization: Basic secret
                    Proxy-Authorization: Basic secret
                    Forwarded: for=secret
                    Connection: close

                    """.replace("\n", "\r\n"));
            assertEquals(200, answer.status());
            assertTrue(answer.body().contains("X-Seen: yes"), answer.text());
            assertFalse(answer.body().contains("secret"), answer.text());
        }
    }

    @Test
    void aConnectRequestGets501() throws Exception {
        try (Penstock server = start()) {
            RawExchange answer = RawExchange.of(
                    server, "CONNECT good.example:443 HTTP/1.1\r\nHost: good.example:443\r\nConnection: close\r\n\r\n");
            assertEquals(501, answer.status());
        }
    }
}

package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the header field {@code Strict-Transport-Security}. The setting {@code hsts} enables this field. */
class Rfc6797StrictTransportSecurityTest {
    private static final String FIELD = "Strict-Transport-Security";

    private static final class Site extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            switch (request.getServletPath()) {
                case "/own" -> response.setHeader("strict-transport-security", "max-age=1");
                case "/fails" -> throw new IOException("on purpose");
                default -> {}
            }
            response.setContentLength(2);
            response.getWriter().print("ok");
        }
    }

    private static Penstock start(String... keysAndValues) throws StartException {
        Penstock.Builder builder = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(1)
                .set("tls-self-signed", "on")
                .context("/app", context -> context.servlet("site", new Site(), "/fine", "/own", "/fails"));
        for (int i = 0; i < keysAndValues.length; i += 2) {
            builder.set(keysAndValues[i], keysAndValues[i + 1]);
        }
        return builder.start();
    }

    private static void assertHstsField(int status, String value, RawExchange exchange) {
        assertEquals(status, exchange.status());
        assertEquals(List.of(value), exchange.values(FIELD));
    }

    @Test
    void eachResponseOverTlsHasExactlyOneHstsField() throws Exception {
        String value = "max-age=31536000; includeSubDomains";
        try (Penstock server = start("hsts", "365d, includeSubDomains");
                HttpsClient client = new HttpsClient(server.port(), null)) {
            assertHstsField(200, value, client.get("x", "/app/fine"));
            assertHstsField(200, "max-age=1", client.get("x", "/app/own"));
            assertHstsField(404, value, client.get("x", "/app/none"));
            assertHstsField(404, value, client.get("x", "/no-context"));
            assertHstsField(500, value, client.get("x", "/app/fails"));
            assertHstsField(400, value, client.send("GET / HTTP/1.1\r\n\r\n"));
        }
    }

    @Test
    void theResponseToARefusedConnectionHasTheHstsField() throws Exception {
        try (Penstock server = start("hsts", "1h", "max-connections", "1");
                HttpsClient first = new HttpsClient(server.port(), null)) {
            assertHstsField(200, "max-age=3600", first.get("x", "/app/fine"));
            try (HttpsClient second = new HttpsClient(server.port(), null)) {
                assertHstsField(503, "max-age=3600", second.send(""));
            }
        }
    }

    @Test
    void theHstsFieldIsNotSentOverPlainHttpOrWithoutTheHstsSetting() throws Exception {
        try (Penstock server = start("hsts", "365d", "redirect-port", "0")) {
            int port = server.redirectAddress().orElseThrow().getPort();
            RawExchange led = RawExchange.of(port, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            assertEquals(301, led.status());
            assertEquals(List.of(), led.values(FIELD));
            RawExchange plain = RawExchange.get(server, "/");
            assertEquals(400, plain.status(), "a plain HTTP request to a TLS port must get 400");
            assertEquals(List.of(), plain.values(FIELD));
        }
        try (Penstock server = start();
                HttpsClient client = new HttpsClient(server.port(), null)) {
            assertEquals(List.of(), client.get("x", "/app/fine").values(FIELD));
        }
    }
}

package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests the error pages and redirects of the container. These responses contain no markup from the client, and reveal nothing about the
 * server.
 */
class ErrorPagesRevealNothingTest {
    private static final String MARKUP = "<script>alert(1)</script>";
    private static final String ENCODED = "%3Cscript%3Ealert(1)%3C/script%3E";

    @RegisterExtension
    final LeakCheck left = new LeakCheck();

    private Penstock server;

    /** Sends an error, throws an exception or redirects, depending on the path. The parameter {@code text} is the message or location. */
    private static final class FailingServlet extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            String text = request.getParameter("text");
            switch (request.getPathInfo()) {
                case "/error" -> response.sendError(403, text);
                case "/throw" -> throw new IllegalStateException(text);
                case "/redirect" -> response.sendRedirect("/" + text);
                default -> response.sendError(404, request.getPathInfo());
            }
        }
    }

    @BeforeEach
    void start() throws Exception {
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .context("/app", context -> context.servlet("failing", new FailingServlet(), "/fail/*"))
                .start();
    }

    @AfterEach
    void stop() {
        left.awaitIn(server);
        server.close();
    }

    private static void assertRevealsNothing(int status, RawExchange exchange) {
        assertEquals(status, exchange.status(), exchange.text());
        String answer = exchange.text().toLowerCase(Locale.ROOT);
        assertFalse(exchange.body().toLowerCase(Locale.ROOT).contains("<script"), answer);
        for (String name : List.of("penstock", "java", "jakarta", "exception", "\tat ")) {
            assertFalse(answer.contains(name), answer);
        }
        for (String field : List.of("Server", "X-Powered-By", "Via")) {
            assertTrue(exchange.values(field).isEmpty(), answer);
        }
    }

    @Test
    void theErrorPageEscapesTheErrorMessageOfTheApplication() throws IOException {
        RawExchange error = RawExchange.get(server, "/app/fail/error?text=" + ENCODED);
        assertRevealsNothing(403, error);
        assertTrue(error.body().contains("&lt;script&gt;alert(1)&lt;/script&gt;"), error.body());
        assertRevealsNothing(404, RawExchange.get(server, "/app/fail/" + ENCODED));
        assertRevealsNothing(302, RawExchange.get(server, "/app/fail/redirect?text=" + ENCODED + "%22%27%3E"));
    }

    @Test
    void theErrorPageDoesNotShowTheExceptionOfTheApplication() throws IOException {
        RawExchange exchange = RawExchange.get(server, "/app/fail/throw?text=internal-detail" + ENCODED);
        assertRevealsNothing(500, exchange);
        assertFalse(exchange.text().contains("internal-detail"), exchange.text());
    }

    @Test
    void theNotFoundPageDoesNotRepeatTheRequestTarget() throws IOException {
        for (String path : List.of("/app/nowhere/", "/nowhere/", "/app/", "/")) {
            RawExchange exchange =
                    RawExchange.get(server, path + ENCODED + "?marker=" + ENCODED, "X-Marker: " + MARKUP);
            assertRevealsNothing(404, exchange);
            assertFalse(exchange.text().contains("marker"), exchange.text());
        }
    }

    @Test
    void errorPagesForMalformedRequestsRevealNothingAboutTheServer() throws IOException {
        String host = " HTTP/1.1\r\nHost: x\r\n";
        assertRevealsNothing(400, RawExchange.of(server, "GET /" + MARKUP + host + "\r\n"));
        assertRevealsNothing(400, RawExchange.of(server, MARKUP + "\r\n\r\n"));
        assertRevealsNothing(400, RawExchange.of(server, "GET /app/%00" + host + "\r\n"));
        assertRevealsNothing(400, RawExchange.of(server, "GET / HTTP/1.1\r\nHost: " + MARKUP + "\r\n\r\n"));
        assertRevealsNothing(400, RawExchange.of(server, "GET /" + host + MARKUP + "\r\n\r\n"));
        assertRevealsNothing(414, RawExchange.of(server, "GET /" + MARKUP.repeat(1000) + host + "\r\n"));
        assertRevealsNothing(417, RawExchange.of(server, "GET /" + host + "Expect: " + MARKUP + "\r\n\r\n"));
        assertRevealsNothing(431, RawExchange.of(server, "GET /" + host + "X: " + MARKUP.repeat(2000) + "\r\n\r\n"));
        assertRevealsNothing(501, RawExchange.of(server, "CONNECT script:1" + host + "\r\n"));
        assertRevealsNothing(505, RawExchange.of(server, "GET / HTTP/3.0\r\nHost: " + MARKUP + "\r\n\r\n"));
    }
}

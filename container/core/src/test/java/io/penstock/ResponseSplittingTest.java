package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Tests applications that put text from the client into the head of a response. The text must not add a line, a second response or a body.
 * The tests use each method of the servlet API that adds text to the head.
 */
class ResponseSplittingTest {
    /** The last entry would become CR LF if the server sent only the low byte of each character. */
    private static final List<String> LINE_ENDS = List.of("\r\n", "\n", "\r", "\u0085", "\u2028", "\u560d\u560a");

    @RegisterExtension
    final LeakCheck left = new LeakCheck();

    private Penstock server;

    /** One way in which an application puts text into the head of a response. */
    private interface Way {
        void put(HttpServletResponse response, String text) throws IOException;
    }

    private static final Map<String, Way> WAYS = Map.ofEntries(
            Map.entry("field", (response, text) -> response.setHeader("X-Text", text)),
            Map.entry("added", (response, text) -> response.addHeader("X-Text", text)),
            Map.entry("name", (response, text) -> response.setHeader(text, "value")),
            Map.entry("cookie", (response, text) -> response.addCookie(new Cookie("text", text))),
            Map.entry("cookie-name", (response, text) -> response.addCookie(new Cookie(text, "value"))),
            Map.entry("cookie-path", (response, text) -> {
                Cookie cookie = new Cookie("text", "value");
                cookie.setPath(text);
                response.addCookie(cookie);
            }),
            Map.entry("cookie-domain", (response, text) -> {
                Cookie cookie = new Cookie("text", "value");
                cookie.setDomain(text);
                response.addCookie(cookie);
            }),
            Map.entry("cookie-attribute", (response, text) -> {
                Cookie cookie = new Cookie("text", "value");
                cookie.setAttribute("Priority", text);
                response.addCookie(cookie);
            }),
            Map.entry("redirect", HttpServletResponse::sendRedirect),
            Map.entry("redirect-root", (response, text) -> response.sendRedirect("/" + text)),
            Map.entry("redirect-query", (response, text) -> response.sendRedirect("/?q=" + text)),
            Map.entry("status", (response, text) -> response.sendError(400, text)),
            Map.entry("type", HttpServletResponse::setContentType),
            Map.entry("type-charset", (response, text) -> response.setContentType("text/html;charset=" + text)),
            Map.entry("charset", HttpServletResponse::setCharacterEncoding),
            Map.entry("trailer", (response, text) -> {
                response.setTrailerFields(() -> Map.of("X-Text", text));
                response.flushBuffer();
            }));

    /** Puts the parameter {@code text} into the head in the way that the path names. Sends 422 if the container refuses the text. */
    private static final class EchoingServlet extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            try {
                WAYS.get(request.getPathInfo().substring(1)).put(response, request.getParameter("text"));
            } catch (IllegalArgumentException refused) {
                response.setStatus(422);
            }
        }
    }

    @BeforeEach
    void start() throws Exception {
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .context("/", context -> context.servlet("echoing", new EchoingServlet(), "/echo/*"))
                .start();
    }

    @AfterEach
    void stop() {
        left.awaitIn(server);
        server.close();
    }

    private RawExchange echo(String way, String text) throws IOException {
        return RawExchange.get(server, "/echo/" + way + "?text=" + URLEncoder.encode(text, StandardCharsets.UTF_8));
    }

    @Test
    void textFromTheClientAddsNoLineToTheResponseHead() throws IOException {
        for (String way : WAYS.keySet()) {
            for (String end : LINE_ENDS) {
                RawExchange exchange = echo(way, "a" + end + "X-Injected: b" + end + end + "<injected>");
                String context = way + " with " + end.codePoints().boxed().toList() + ":\n" + exchange.text();
                assertTrue(exchange.values("X-Injected").isEmpty(), context);
                assertFalse(exchange.head().contains("\n<injected>"), context);
                assertFalse(exchange.body().startsWith("<injected>"), context);
                for (String line : exchange.head().split("\r\n", -1)) {
                    assertTrue(line.chars().allMatch(c -> c >= ' ' && c != 0x7f || c == '\t'), context);
                }
            }
        }
    }

    @Test
    void textFromTheClientCannotAddASecondResponse() throws IOException {
        for (String way : WAYS.keySet()) {
            RawExchange exchange =
                    echo(way, "a\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n<injected>");
            assertFalse(exchange.head().contains("\nHTTP/1.1"), way + ":\n" + exchange.text());
            List<String> lengths = exchange.values("Content-Length");
            assertEquals(
                    lengths.isEmpty() ? List.of() : List.of("" + exchange.body().length()), lengths, way);
        }
    }

    @Test
    void theMessageOfSendErrorIsInTheBodyAndNotInTheStatusLine() throws IOException {
        RawExchange exchange = echo("status", "not as it should be");
        assertEquals(
                "HTTP/1.1 400 Bad Request", exchange.text().lines().findFirst().orElse(""));
        assertTrue(exchange.body().contains("not as it should be"));
    }
}

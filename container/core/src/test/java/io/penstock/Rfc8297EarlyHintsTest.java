package io.penstock;

import static io.penstock.PromptWaits.PATIENCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.http1.Answer;
import io.penstock.http1.RawClient;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code HttpServletResponse.sendEarlyHints} of Servlet 6.2 (RFC 8297) with the API 6.1, over HTTP/1. */
class Rfc8297EarlyHintsTest {
    private static final String LINK = "</style.css>; rel=preload";
    private static final String EXPECTING =
            " HTTP/1.1\r\nHost: good.example\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n";

    private final Semaphore hintArrived = new Semaphore(0);

    @TempDir
    Path folder;

    private Penstock server;

    /** As an application does that is compiled with the API 6.1. */
    private static void hint(HttpServletResponse response) {
        try {
            response.getClass().getMethod("sendEarlyHints").invoke(response);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private final class Hinting extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException {
            response.setHeader("Link", LINK);
            boolean included = request.getDispatcherType() == DispatcherType.INCLUDE;
            switch (included ? "/once" : request.getServletPath()) {
                case "/twice" -> {
                    request.getSession();
                    response.addCookie(new Cookie("own", "1"));
                    response.setContentType("text/plain");
                    response.setContentLength(5);
                    response.setHeader("Connection", "x-next");
                    hint(response);
                    response.setHeader("X-Second", "2");
                    hint(response);
                    awaitArrival();
                    response.getWriter().print("hello");
                }
                case "/plain" -> response.getWriter().print("hello");
                case "/once" -> {
                    hint(response);
                    response.getWriter().print("hello");
                }
                case "/reads" -> {
                    hint(response);
                    response.getOutputStream().write(request.getInputStream().readAllBytes());
                }
                case "/flushed" -> {
                    response.flushBuffer();
                    hint(response);
                }
                case "/failed" -> {
                    response.sendError(404);
                    hint(response);
                }
                case "/including" -> request.getRequestDispatcher("/included").include(request, response);
                default -> throw new ServletException(request.getServletPath());
            }
        }

        /** The final response must not be what brings the hints to the client. */
        private void awaitArrival() {
            try {
                assertTrue(hintArrived.tryAcquire(PATIENCE.toSeconds(), TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    @BeforeEach
    void start() throws Exception {
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .set("streaming-paths", "/reads")
                .set("access-log", folder.resolve("access.log").toString())
                .set("access-log-format", "cs-uri sc-status sc-bytes")
                .context("/", context -> context.servlet("hinting", new Hinting(), "/"))
                .start();
    }

    @AfterEach
    void stop() {
        hintArrived.release(10);
        server.close();
    }

    @Test
    void theFieldsSoFarAreSentAheadAndAgainWithTheResponse() throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            client.send("GET /twice HTTP/1.1\r\nHost: good.example\r\n\r\n");
            Answer first = client.answer();
            assertEquals("HTTP/1.1 103 Early Hints", first.statusLine());
            assertEquals(List.of("Link: " + LINK, "Set-Cookie: own=1", "Content-Type: text/plain"), first.fields());
            Answer second = client.answer();
            assertEquals(103, second.status());
            assertEquals(LINK, second.field("Link"));
            assertEquals("2", second.field("X-Second"));
            hintArrived.release();
            Answer last = client.answer();
            assertEquals(200, last.status());
            assertEquals("hello", last.body());
            assertEquals(LINK, last.field("Link"));
            assertEquals("5", last.field("Content-Length"));
            assertTrue(
                    last.fields().stream().anyMatch(line -> line.startsWith("Set-Cookie: JSESSIONID=")),
                    last::toString);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/flushed", "/failed", "/including"})
    void noHintsAreSentAfterTheCommitOrInAnInclude(String path) throws Exception {
        RawExchange answer = RawExchange.get(server, path);
        assertEquals(path.equals("/failed") ? 404 : 200, answer.status());
        assertEquals(1, answer.text().split("HTTP/1.1 ", -1).length - 1, answer.text());
    }

    @Test
    void anHttp10ClientGetsNoHints() throws Exception {
        RawExchange answer = RawExchange.of(server, "GET /once HTTP/1.0\r\nHost: good.example\r\n\r\n");
        assertEquals(200, answer.status());
        assertEquals("hello", answer.body());
    }

    @Test
    void hintsOfAPipelinedRequestFollowTheEarlierResponse() throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            client.send("GET /once HTTP/1.1\r\nHost: good.example\r\n\r\n".repeat(3));
            for (int i = 0; i < 3; i++) {
                Answer answer = client.answer();
                // A later hint is dropped if the earlier response is just being sent.
                if (i == 0 || answer.status() == 103) {
                    assertEquals(103, answer.status());
                    answer = client.answer();
                }
                assertEquals(200, answer.status());
                assertEquals("hello", answer.body());
            }
        }
    }

    /** The servlet sends the hints before it reads, and so before the server sends the 100. */
    @Test
    void hintsAndA100ContinueAreSentInTheOrderInWhichTheServletCausesThem() throws Exception {
        try (RawClient client = new RawClient(server.port())) {
            client.send("POST /reads" + EXPECTING);
            assertEquals(103, client.answer().status());
            assertEquals(100, client.answer().status());
            client.send("body");
            assertEquals("body", client.answer().body());
            client.send("POST /once" + EXPECTING);
            assertEquals(100, client.answer().status());
            client.send("body");
            assertEquals(103, client.answer().status());
            assertEquals("hello", client.answer().body());
        }
    }

    @Test
    void theAccessLogHasOneLineForAResponseWithHintsAndCountsTheBytesOfTheResponse() throws Exception {
        RawExchange.get(server, "/plain");
        RawExchange.get(server, "/once");
        server.close();
        List<String> lines = Files.readAllLines(folder.resolve("access.log"), StandardCharsets.US_ASCII).stream()
                .filter(line -> !line.startsWith("#"))
                .toList();
        assertEquals(2, lines.size(), lines::toString);
        assertTrue(lines.get(0).startsWith("/plain 200 "), lines.get(0));
        assertEquals(lines.get(0).replace("/plain", "/once"), lines.get(1));
    }
}

package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the operator's pages for errors ({@code error-pages}). */
class OwnErrorPagesTest {
    private static final String LARGE = "<p>" + "x".repeat(60_000) + "</p>";

    @RegisterExtension
    final LeakCheck nothingLeft = new LeakCheck();

    @TempDir
    Path folder;

    @BeforeEach
    void writePages() throws IOException {
        page("404.html", "<h1>Not here \u00e4</h1>");
        page("4xx.html", "<h1>Your mistake</h1>");
        page("5xx.html", LARGE);
        page("notes.txt", "no page");
    }

    private void page(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }

    private static final class Failing extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            switch (String.valueOf(request.getPathInfo())) {
                case "/throws" -> throw new IllegalStateException("odd");
                case "/own" -> {
                    response.setStatus(404);
                    response.getOutputStream().print("own");
                }
                default -> response.sendError(404, "No such order");
            }
        }
    }

    private Penstock.Builder builder() {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .set("error-pages", folder.toString())
                .set("body-limit", "10");
    }

    private Penstock start() throws StartException {
        return builder()
                .context("/app", context -> context.servlet("failing", new Failing(), "/f/*"))
                .start();
    }

    private static void assertPage(String page, int status, RawExchange answer) {
        assertEquals(status, answer.status());
        String head = answer.head().toLowerCase(Locale.ROOT);
        assertTrue(head.contains("content-type: text/html;charset=utf-8"), head);
        assertEquals(page, answer.body());
    }

    @Test
    void errorsThatNoApplicationAnswersHaveTheOperatorsPage() throws Exception {
        String notHere = "<h1>Not here \u00c3\u00a4</h1>"; // each char is one byte
        try (Penstock server = start()) {
            assertPage(notHere, 404, RawExchange.get(server, "/missing"));
            assertPage(notHere, 404, RawExchange.get(server, "/app/missing"));
            assertPage(notHere, 404, RawExchange.get(server, "/app/f/error"));
            assertPage(LARGE, 500, RawExchange.get(server, "/app/f/throws"));
            assertPage(
                    "<h1>Your mistake</h1>",
                    413,
                    RawExchange.of(
                            server,
                            "POST /app/f/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 11\r\n\r\n"));
            assertPage(
                    "<h1>Your mistake</h1>",
                    405,
                    RawExchange.of(server, "TRACE /app/f/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"));
            assertEquals("own", RawExchange.get(server, "/app/f/own").body());
            RawExchange unread = RawExchange.of(server, "(nonsense)\r\n\r\n");
            assertEquals("400 Bad Request\n", unread.body());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "text/html | true",
                "text/html,application/xhtml+xml,application/json | true",
                "*/* | true",
                "application/json | false",
                "application/json, text/plain, */* | false",
                "image/png | false",
            })
    void onlyClientsThatWantHtmlGetThePage(String accept, boolean gets) throws Exception {
        try (Penstock server = start()) {
            for (String path : List.of("/missing", "/app/f/error")) {
                RawExchange answer = RawExchange.get(server, path, "Accept: " + accept);
                assertEquals(404, answer.status());
                assertEquals(gets, answer.body().startsWith("<h1>Not here "), answer.text());
            }
        }
    }

    @Test
    void aHeadRequestGetsTheFieldsOfThePageOnly() throws Exception {
        try (Penstock server = start()) {
            RawExchange answer =
                    RawExchange.of(server, "HEAD /missing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            assertEquals(404, answer.status());
            assertEquals("", answer.body());
            assertTrue(answer.head().contains("Content-Length: 20"), answer::text);
        }
    }

    @Test
    void pipelinedErrorsHaveTheirPagesInOrder() throws Exception {
        try (Penstock server = start()) {
            String one = "GET /missing HTTP/1.1\r\nHost: x\r\n\r\n";
            String answers = RawExchange.of(
                            server, one.repeat(50) + "GET /missing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                    .text();
            assertEquals(51, answers.split("<h1>Not here", -1).length - 1);
            assertEquals(51, answers.split("HTTP/1.1 404", -1).length - 1);
        }
    }

    @Test
    void aReloadReadsThePagesAgain() throws Exception {
        try (Penstock server = start()) {
            page("404.html", "<p>new</p>");
            assertEquals(List.of(), server.reload(builder()));
            assertEquals("<p>new</p>", RawExchange.get(server, "/missing").body());
            page("404.html", "x".repeat((64 << 10) + 1));
            ReloadException refused = assertThrows(ReloadException.class, () -> server.reload(builder()));
            assertEquals(
                    "error-pages: " + folder.resolve("404.html") + ": is larger than 65536 bytes",
                    refused.getMessage());
            assertEquals("<p>new</p>", RawExchange.get(server, "/missing").body());
        }
    }

    @Test
    void theServerDoesNotStartWithoutPages() throws Exception {
        Files.delete(folder.resolve("404.html"));
        Files.createDirectory(folder.resolve("404.html"));
        String line = "error-pages: " + folder.resolve("404.html") + ": is a folder";
        assertEquals(
                line,
                assertThrows(StartException.class, () -> builder().start()).getMessage());
        assertEquals(List.of(line), builder().check());
        Path empty = Files.createDirectory(folder.resolve("empty"));
        assertEquals(
                List.of("error-pages: " + empty + ": has no page; pages are named 404.html or 5xx.html"),
                builder().set("error-pages", empty.toString()).check());
    }

    /** All responses share the bytes of a page, so a client that does not read costs no more memory than without pages. */
    @Test
    void aClientThatDoesNotReadItsErrorsSharesThePageWithOthers() throws Exception {
        page("404.html", LARGE);
        try (Penstock server = start();
                Socket socket = new Socket("127.0.0.1", server.port())) {
            byte[] requests =
                    "GET /missing HTTP/1.1\r\nHost: x\r\n\r\n".repeat(200).getBytes(StandardCharsets.US_ASCII);
            socket.getOutputStream().write(requests);
            assertTrue(socket.getInputStream().read() > 0);
            assertEquals(LARGE, RawExchange.get(server, "/missing").body());
            assertFalse(server.gauges().get("pipe-bytes") > 4L << 20);
        }
    }
}

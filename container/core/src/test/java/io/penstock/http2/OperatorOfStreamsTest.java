package io.penstock.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.LeakCheck;
import io.penstock.Penstock;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests what the operator sets for all protocols: lines of the access log have what the server has noted of an HTTP/2 request, and errors have
 * the operator's pages.
 */
final class OperatorOfStreamsTest {
    @RegisterExtension
    final LeakCheck nothingLeft = new LeakCheck();

    @TempDir
    Path folder;

    private static final class Noted extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            request.setAttribute("tenant", "acme");
            response.setHeader("X-Request-Id", "r7");
        }
    }

    @Test
    void anErrorHasTheOperatorsPageAndAHeadRequestOnlyItsFields() throws Exception {
        Files.writeString(folder.resolve("404.html"), "<p>" + "x".repeat(40_000) + "</p>");
        try (Penstock server = Penstock.builder()
                        .host("127.0.0.1")
                        .port(0)
                        .set("h2c", "on")
                        .set("error-pages", folder.toString())
                        .start();
                Http2Client client = Http2Client.connect(server.port())) {
            Http2Client.Answer page = client.answer(client.get("/missing"));
            assertEquals(404, page.status());
            assertEquals("text/html;charset=utf-8", page.field("content-type"));
            assertEquals("40007", page.field("content-length"));
            assertEquals(40_007, page.body.size());
            Http2Client.Answer line = client.answer(client.get("/missing", "accept", "application/json"));
            assertEquals("404 Not Found\n", line.text());
            Http2Client.Answer head = client.answer(client.request("HEAD", "/missing", true));
            assertEquals("40007", head.field("content-length"));
            assertEquals(0, head.body.size());
        }
    }

    @Test
    void aLineHasTheFieldsOfTheResponseAndTheCookiesAndTheAttributes() throws Exception {
        Path file = folder.resolve("access.log");
        try (Penstock server = Penstock.builder()
                        .host("127.0.0.1")
                        .port(0)
                        .set("h2c", "on")
                        .set("access-log", file.toString())
                        .set(
                                "access-log-format",
                                "cs-version sc-status sc(x-request-id) x-attribute(tenant) x-cookie(b)")
                        .context("/app", context -> context.servlet("noted", new Noted(), "/*"))
                        .start();
                Http2Client client = Http2Client.connect(server.port())) {
            client.answer(client.get("/app/", "cookie", "a=1", "cookie", "b=2"));
            client.answer(client.get("/missing"));
        }
        assertEquals(
                List.of("HTTP/2.0 200 r7 acme 2", "HTTP/2.0 404 - - -"),
                Files.readAllLines(file, StandardCharsets.US_ASCII).stream()
                        .filter(line -> !line.startsWith("#"))
                        .toList());
    }
}

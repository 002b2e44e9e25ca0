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

/** Tests that the lines of HTTP/2 requests have what the server has noted of the response and the request. */
final class AccessLogOfStreamsTest {
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
    void aLineHasTheFieldsOfTheResponseAndTheCookiesAndTheAttributes() throws Exception {
        Path file = folder.resolve("access.log");
        try (Penstock server = Penstock.builder()
                        .host("127.0.0.1")
                        .port(0)
                        .set("h2c", "on")
                        .set("access-log", file.toString())
                        .set("access-log-format", "cs-version sc-status sc(x-request-id) x-attribute(tenant) x-cookie(b)")
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

package io.penstock.http2;

import static io.penstock.PromptWaits.PATIENCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.LeakCheck;
import io.penstock.Penstock;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests what the operator sets for all protocols: lines of the access log have what the server has noted of an HTTP/2 request, and errors have
 * the operator's pages. Resets are counted by their cause.
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

    /** Opens a page of the admin port. */
    private static Stream<String> lines(Penstock server, String page) throws Exception {
        URI uri = URI.create(
                "http://127.0.0.1:" + server.adminAddress().orElseThrow().getPort() + page);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri).timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofLines())
                .body();
    }

    private static List<String> admin(Penstock server, String page, Predicate<String> kept) throws Exception {
        try (Stream<String> lines = lines(server, page)) {
            return lines.filter(kept).toList();
        }
    }

    private static List<String> resets(Penstock server) throws Exception {
        return admin(
                        server,
                        "/metrics",
                        line -> line.startsWith("penstock_stream_resets_total{") && !line.endsWith(" 0"))
                .stream()
                .map(line -> line.replaceAll("^.*cause=\"(.*)\"} ", "$1 "))
                .map(line -> line.replace(".0", ""))
                .toList();
    }

    @Test
    void resetsAreCountedByTheirCause() throws Exception {
        try (Penstock server = Penstock.builder()
                        .host("127.0.0.1")
                        .port(0)
                        .set("h2c", "on")
                        .set("admin-port", "0")
                        .context("/app", context -> context.servlet("noted", new Noted(), "/*"))
                        .start();
                Http2Client client = Http2Client.connect(server.port())) {
            assertEquals(List.of(), resets(server));
            client.reset(client.post("/app/"));
            client.reset(client.post("/app/"));
            client.send(Frame.reset(client.post("/app/"), ErrorCode.NO_ERROR));
            client.send(Frame.reset(client.post("/app/"), ErrorCode.REFUSED_STREAM));
            int unknown = client.post("/app/");
            client.frame(Frame.RST_STREAM, 0, unknown, new byte[] {-1, -1, -1, -1});
            client.reset(unknown); // the stream is over
            int malformed = client.post("/app/");
            client.enlarge(malformed, 0);
            assertEquals(ErrorCode.PROTOCOL_ERROR, client.answer(malformed).reset);
            int cut = client.post("/app/");
            client.frame(Frame.PRIORITY, 0, cut, new byte[4]);
            assertEquals(ErrorCode.FRAME_SIZE_ERROR, client.answer(cut).reset);
            int early = client.post("/missing", "content-length", "5");
            assertEquals(404, client.answer(early).status());
            client.await(Frame.RST_STREAM, early);
            client.answer(client.get("/app/"));
            assertEquals(
                    List.of(
                            "client-cancel 2",
                            "client-no-error 1",
                            "client-other 2",
                            "server-no-error 1",
                            "server-protocol-error 1",
                            "server-frame-size-error 1"),
                    resets(server));
            assertEquals(
                    List.of("client-cancel 2"),
                    admin(server, "/dump", line -> line.contains(" client-cancel ")).stream()
                            .map(line -> line.replaceAll(" +", " ").replace(" stream-resets ", ""))
                            .toList());
            try (Stream<String> events = lines(server, "/events")) {
                String event = events.filter(line -> line.startsWith("data: "))
                        .findFirst()
                        .orElseThrow();
                Matcher cancelled = Pattern.compile("\"cause\":\"client-cancel\",\"meaning\":\"[^\"]+\",\"count\":2}")
                        .matcher(event);
                assertTrue(cancelled.find(), event);
            }
        }
    }
}

package io.penstock;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.Counter;
import io.penstock.metrics.Gauge;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the conditions for the compression of a response, and the fields of compressed responses. */
class CompressionTest {
    private static final String TEXT = "It is the same line again and again.\n".repeat(200);
    private static final String GZIP = "Accept-Encoding: gzip, deflate, br";

    @RegisterExtension
    final LeakCheck nothingLeft = new LeakCheck();

    @TempDir
    Path folder;

    private final CountDownLatch mayContinue = new CountDownLatch(1);
    private Penstock server;

    /** The code of a servlet in a test. */
    private interface Service {
        void serve(HttpServletRequest request, HttpServletResponse response) throws IOException;
    }

    private static HttpServlet servlet(Service service) {
        return new HttpServlet() {
            @Override
            protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
                service.serve(request, response);
            }
        };
    }

    private static void text(HttpServletResponse response) throws IOException {
        response.setContentType("text/plain;charset=UTF-8");
        response.getOutputStream().write(TEXT.getBytes(StandardCharsets.US_ASCII));
    }

    @BeforeEach
    void start() throws Exception {
        write("page.html", "<p>" + TEXT);
        write("large.json", "[" + "{\"a\": 1, \"b\": 2},\n".repeat(20_000) + "{}]");
        write("picture.png", TEXT);
        write("small.txt", "small");
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .set("/:compression", "on")
                .set("compressors", "1")
                .set("compression-excluded-agents", "OldBrowser/1, robot")
                .context("/", context -> define(context.resources(folder)))
                .context("/off", this::define)
                .start();
    }

    private void write(String name, String content) throws IOException {
        Path file = Files.writeString(folder.resolve(name), content);
        Files.setLastModifiedTime(file, FileTime.from(Instant.parse("1994-11-06T08:49:37Z")));
    }

    @AfterEach
    void stop() {
        mayContinue.countDown();
        nothingLeft.awaitIn(server);
        server.close();
    }

    private void define(Context context) {
        context.servlet("text", servlet((request, response) -> text(response)), "/text")
                .servlet("tagged", servlet(CompressionTest::tagged), "/tagged")
                .servlet("rules", servlet(CompressionTest::rules), "/rules")
                .servlet("streams", servlet(this::streams), "/streams")
                .servlet("resets", servlet(CompressionTest::resets), "/resets")
                .servlet("trailers", servlet(CompressionTest::trailers), "/trailers")
                .servlet("fails", servlet(CompressionTest::fails), "/fails")
                .servlet("error", servlet((request, response) -> response.sendError(404)), "/error")
                .servlet("page", servlet(CompressionTest::errorPage), "/error-page")
                .errorPage(404, "/error-page");
    }

    private static void tagged(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setHeader("ETag", "\"v1\"");
        response.setHeader("Vary", "Origin");
        text(response);
    }

    /** Sets the fields and the status that the query string names. */
    private static void rules(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType("text/plain");
        for (Map.Entry<String, String[]> each : request.getParameterMap().entrySet()) {
            if (each.getKey().equals("status")) {
                response.setStatus(Integer.parseInt(each.getValue()[0]));
            } else {
                response.setHeader(each.getKey(), each.getValue()[0]);
            }
        }
        response.getOutputStream().write(TEXT.getBytes(StandardCharsets.US_ASCII));
    }

    private void streams(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setContentType("text/plain");
        response.getWriter().print("begun");
        response.flushBuffer();
        try {
            mayContinue.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        response.getWriter().print(TEXT);
    }

    private static void resets(HttpServletRequest request, HttpServletResponse response) throws IOException {
        int size = response.getBufferSize();
        response.setBufferSize(2 * size);
        assertTrue(response.getBufferSize() >= 2 * size);
        response.setContentType("image/png");
        response.getOutputStream().write(new byte[2 * size - 1]);
        assertFalse(response.isCommitted());
        response.reset();
        response.setHeader("X-After", "reset");
        text(response);
        assertFalse(response.isCommitted());
        response.flushBuffer();
        assertTrue(response.isCommitted());
    }

    private static void trailers(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setTrailerFields(() -> Map.of("X-Check", "done"));
        text(response);
    }

    private static void fails(HttpServletRequest request, HttpServletResponse response) throws IOException {
        text(response);
        response.flushBuffer();
        throw new IOException("the data source has gone");
    }

    private static void errorPage(HttpServletRequest request, HttpServletResponse response) throws IOException {
        text(response);
    }

    private RawExchange get(String target, String... lines) throws IOException {
        return RawExchange.get(server, target, lines);
    }

    private static byte[] octets(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String decoded(RawExchange answer) throws IOException {
        assertEquals(List.of("gzip"), answer.values("Content-Encoding"), answer.head());
        return decoded(answer.whole());
    }

    private static String decoded(String gzip) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(octets(gzip)))) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    private static void assertContentLength(RawExchange answer) {
        assertEquals(List.of(), answer.values("Transfer-Encoding"), answer.head());
        assertEquals(List.of(Integer.toString(answer.body().length())), answer.values("Content-Length"), answer.head());
    }

    // ---- compressed responses

    @Test
    void aResponseWithoutAFlushIsCompressedAndHasAContentLength() throws Exception {
        RawExchange answer = get("/text", GZIP);
        assertEquals(TEXT, decoded(answer));
        assertContentLength(answer);
        assertTrue(answer.body().length() < TEXT.length() / 10);
        assertEquals(List.of("Accept-Encoding"), answer.values("Vary"));
        assertEquals(List.of("text/plain;charset=UTF-8"), answer.values("Content-Type"));
    }

    @Test
    void aCompressedResponseHasAWeakETagAndAnExtendedVaryField() throws Exception {
        RawExchange answer = get("/tagged", GZIP);
        assertEquals(TEXT, decoded(answer));
        assertEquals(List.of("W/\"v1\""), answer.values("ETag"));
        assertEquals(List.of("Origin", "Accept-Encoding"), answer.values("Vary"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Accept-Encoding: br",
                "Accept-Encoding: gzip;q=0",
                "Accept-Encoding: gzip;q=0.1, identity",
                "Accept-Encoding: gzip\r\nUser-Agent: Mozilla/4.0 (OldBrowser/1.5)",
                "Accept-Encoding: gzip\r\nUser-Agent: a robot"
            })
    void clientsWithoutGzipAndExcludedUserAgentsGetAnUncompressedResponseWithAVaryField(String line) throws Exception {
        RawExchange answer = get("/tagged", line.isEmpty() ? "Accept: */*" : line);
        assertEquals(TEXT, answer.body());
        assertContentLength(answer);
        assertEquals(List.of("Origin", "Accept-Encoding"), answer.values("Vary"));
        assertEquals(List.of("\"v1\""), answer.values("ETag"));
        assertEquals(List.of(), answer.values("Content-Encoding"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Cache-Control=max-age%3D60,%20No-Transform",
                "Content-Encoding=br",
                "Content-Encoding=identity",
                "Content-Type=image/png",
                "Content-Type=application/gzip",
                "Content-Type=nonsense",
                "Content-Digest=sha-256%3D%3AAAAA%3A",
                "Repr-Digest=sha-256%3D%3AAAAA%3A"
            })
    void aResponseIsNotCompressedIfOneOfItsFieldsForbidsIt(String query) throws Exception {
        RawExchange answer = get("/rules?" + query, GZIP);
        assertEquals(TEXT, answer.body());
        assertContentLength(answer);
        assertEquals(List.of(), answer.values("Vary"));
        String coding = query.startsWith("Content-Encoding=") ? query.substring(17) : null;
        assertEquals(coding == null ? List.of() : List.of(coding), answer.values("Content-Encoding"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "text/html",
                "TEXT/Html;%20Charset=x",
                "application/json",
                "application/problem%2Bjson",
                "application/xhtml%2Bxml",
                "application/javascript",
                "application/wasm",
                "image/svg%2Bxml",
                "text/event-stream"
            })
    void responsesWithACompressibleContentTypeAreCompressed(String type) throws Exception {
        assertEquals(TEXT, decoded(get("/rules?Content-Type=" + type, GZIP)));
    }

    @Test
    void partialResponsesAreNotCompressed() throws Exception {
        RawExchange partial = get("/rules?status=206&Content-Range=bytes%200-1/2", GZIP);
        assertEquals(TEXT, partial.body());
        assertEquals(
                List.of("Accept-Encoding"),
                partial.values("Vary"),
                "Vary is necessary, because the complete response varies");
        RawExchange beyond = get("/rules?status=416&Content-Range=bytes%20*/2", GZIP);
        assertEquals(TEXT, beyond.body());
    }

    @ParameterizedTest
    @ValueSource(ints = {204, 205, 304})
    void responsesWithoutContentAreNotCompressed(int status) throws Exception {
        RawExchange answer = get("/rules?status=" + status + "&ETag=%22v1%22", GZIP);
        assertEquals(status, answer.status());
        assertEquals("", answer.body());
        assertEquals(List.of(), answer.values("Content-Encoding"));
        assertEquals(List.of("\"v1\""), answer.values("ETag"));
    }

    @Test
    void errorResponsesAreCompressed() throws Exception {
        assertEquals(TEXT, decoded(get("/rules?status=500", GZIP)));
        RawExchange error = get("/error", GZIP);
        assertEquals(404, error.status());
        assertEquals(TEXT, decoded(error));
    }

    @Test
    void smallResponsesAreNotCompressed() throws Exception {
        RawExchange answer = get("/small.txt", GZIP);
        assertEquals("small", answer.body());
        assertContentLength(answer);
        assertEquals(List.of(), answer.values("Vary"), "Vary is unnecessary, because small files are never compressed");
    }

    @Test
    void anApplicationWithoutTheCompressionSettingSendsUncompressedResponses() throws Exception {
        RawExchange answer = get("/off/tagged", GZIP);
        assertEquals(TEXT, answer.body());
        assertEquals(List.of("\"v1\""), answer.values("ETag"));
        assertEquals(List.of("Origin"), answer.values("Vary"));
    }

    // ---- HEAD requests, flushes, and buffers

    @Test
    void aHeadResponseHasTheFieldsOfTheGetResponseExceptTheLengthOfACompressedBody() throws Exception {
        for (String target : List.of("/tagged", "/page.html", "/large.json", "/picture.png", "/small.txt")) {
            RawExchange get = get(target, GZIP);
            RawExchange head = RawExchange.of(
                    server, "HEAD " + target + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + GZIP + "\r\n\r\n");
            assertEquals("", head.body());
            for (String name : List.of("Content-Encoding", "Vary", "ETag", "Content-Type", "Accept-Ranges")) {
                assertEquals(get.values(name), head.values(name), target + " " + name);
            }
            boolean compressed = !get.values("Content-Encoding").isEmpty();
            assertEquals(compressed ? List.of() : get.values("Content-Length"), head.values("Content-Length"), target);
        }
    }

    @Test
    void theBufferSizeOfTheApplicationAppliesToCompressedResponses() throws Exception {
        RawExchange answer = get("/resets", GZIP);
        assertEquals(200, answer.status(), answer.head());
        assertEquals(List.of("reset"), answer.values("X-After"));
        assertEquals(TEXT, decoded(answer));
    }

    @Test
    void theClientCanDecodeFlushedBytesBeforeTheResponseEnds() throws Exception {
        try (DecodingClient client = new DecodingClient(server)) {
            DecodingClient.Response answer = client.get("/streams", GZIP);
            assertTrue(answer.isCompressed());
            assertEquals("begun", new String(answer.decoded().readNBytes(5), StandardCharsets.US_ASCII));
            mayContinue.countDown();
            assertEquals(TEXT, new String(answer.decoded().readNBytes(TEXT.length()), StandardCharsets.US_ASCII));
            answer.requireEnd();
        }
    }

    @Test
    void trailersFollowTheCompressedBody() throws Exception {
        RawExchange answer = get("/trailers", GZIP);
        assertEquals(List.of("chunked"), answer.values("Transfer-Encoding"));
        int last = answer.body().indexOf("\r\n0\r\n");
        assertEquals("\r\n0\r\nX-Check: done\r\n\r\n", answer.body().substring(last));
        int begin = answer.body().indexOf("\r\n") + 2;
        assertEquals(TEXT, decoded(answer.body().substring(begin, last)));
    }

    @Test
    void theConnectionIsClosedAtTheEndOfACompressedHttp10Response() throws Exception {
        mayContinue.countDown();
        RawExchange answer = RawExchange.of(server, "GET /streams HTTP/1.0\r\n" + GZIP + "\r\n\r\n");
        assertEquals("begun" + TEXT, decoded(answer));
    }

    @Test
    void aFailedResponseIsIncompleteAndReleasesItsCompressor() throws Exception {
        RawExchange answer = get("/fails", GZIP);
        assertEquals(List.of("gzip"), answer.values("Content-Encoding"));
        assertFalse(answer.body().endsWith("0\r\n\r\n"), "the body ends like a complete body");
        assertEquals(TEXT, decoded(get("/text", GZIP)));
    }

    // ---- files

    @Test
    void textFilesAreCompressedAndImageFilesAreNotCompressed() throws Exception {
        RawExchange page = get("/page.html", GZIP);
        assertEquals("<p>" + TEXT, decoded(page));
        assertEquals(List.of(), page.values("Accept-Ranges"));
        assertContentLength(page);
        RawExchange large = get("/large.json", GZIP);
        assertEquals(Files.readString(folder.resolve("large.json")), decoded(large));
        assertContentLength(large);
        assertTrue(large.body().length() < 20_000);
        RawExchange picture = get("/picture.png", GZIP);
        assertEquals(TEXT, picture.body());
        assertEquals(List.of("bytes"), picture.values("Accept-Ranges"));
        assertEquals(List.of(), picture.values("Vary"));
    }

    @Test
    void aRangeRequestGetsBytesOfTheUncompressedFile() throws Exception {
        RawExchange range = get("/page.html", GZIP, "Range: bytes=0-9");
        assertEquals(206, range.status());
        assertEquals("<p>It is t", range.body());
        assertEquals(List.of(), range.values("Content-Encoding"));
        assertEquals(List.of("Accept-Encoding"), range.values("Vary"));
        String tag = get("/page.html", GZIP).values("ETag").get(0);
        RawExchange resumed = get("/page.html", GZIP, "Range: bytes=0-9", "If-Range: " + tag);
        assertEquals(
                "<p>" + TEXT, decoded(resumed), "a request with a weak tag in If-Range must get the complete file");
    }

    @Test
    void aRequestWithTheETagOfAnUnchangedFileGets304() throws Exception {
        RawExchange compressed = get("/page.html", GZIP);
        String tag = compressed.values("ETag").get(0);
        assertTrue(tag.startsWith("W/\""), tag);
        RawExchange unchanged = get("/page.html", GZIP, "If-None-Match: " + tag);
        assertEquals(304, unchanged.status());
        assertEquals(List.of(tag), unchanged.values("ETag"));
        assertEquals(List.of("Accept-Encoding"), unchanged.values("Vary"));
        String strong = get("/page.html").values("ETag").get(0);
        assertEquals("W/" + strong, tag);
        RawExchange plain = get("/page.html", "If-None-Match: " + strong);
        assertEquals(304, plain.status());
        assertEquals(List.of(strong), plain.values("ETag"));
    }

    @Test
    void precompressedFilesAreNotCompressedAgain() throws Exception {
        write("page.html.gz", "not gzip, and not checked");
        await().untilAsserted(() -> {
            RawExchange answer = get("/page.html", GZIP);
            assertEquals("not gzip, and not checked", answer.body());
            assertEquals(List.of("gzip"), answer.values("Content-Encoding"));
            assertEquals(List.of("Accept-Encoding"), answer.values("Vary"));
        });
    }

    // ---- the compressor limit

    @Test
    void responsesBeyondTheCompressorLimitAreSentUncompressed() throws Exception {
        try (DecodingClient client = new DecodingClient(server)) {
            DecodingClient.Response held = client.get("/streams", GZIP);
            assertTrue(held.isCompressed());
            assertEquals(1, server.gauges().get(Gauge.COMPRESSORS.id()));
            RawExchange second = get("/text", GZIP);
            assertEquals(TEXT, second.body());
            assertEquals(List.of("Accept-Encoding"), second.values("Vary"));
            assertEquals(1, server.counters().get(Counter.COMPRESSORS_BUSY.id()));
            mayContinue.countDown();
            assertEquals(5 + TEXT.length(), held.decoded().readAllBytes().length);
        }
        await().until(() -> server.gauges().get(Gauge.COMPRESSORS.id()) == 0);
        assertEquals(TEXT, decoded(get("/text", GZIP)));
    }

    @Test
    void aDisconnectReleasesTheCompressorOfTheResponse() throws Exception {
        try (Socket socket = RawExchange.begin(server, "GET /streams HTTP/1.1\r\nHost: x\r\n" + GZIP + "\r\n\r\n")) {
            await().until(() -> server.gauges().get(Gauge.COMPRESSORS.id()) == 1);
            socket.setSoLinger(true, 0);
        }
        mayContinue.countDown();
        await().until(() -> server.gauges().get(Gauge.COMPRESSORS.id()) == 0);
    }
}

package io.penstock.http2;

import static io.penstock.PromptWaits.PATIENCE;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.LeakCheck;
import io.penstock.Penstock;
import io.penstock.http2.Http2Client.Answer;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** HTTP/2 on the wire (RFC 9113), without TLS. */
final class Http2Test {
    private static final int WORKERS = 2;
    private static final int BIG = 3_000_000;
    private static final int TURN = 5 * Frame.MAX_PAYLOAD;

    @RegisterExtension
    final LeakCheck nothingLeft = new LeakCheck();

    private final Semaphore mayReturn = new Semaphore(0);
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger written = new AtomicInteger(); // calls of /big that have ended
    private Penstock server;

    @BeforeEach
    void start() throws Exception {
        server = settings().start();
    }

    private Penstock.Builder settings() {
        return settings(Penstock.builder().host("127.0.0.1").port(0));
    }

    private Penstock.Builder settings(Penstock.Builder listening) {
        return listening
                .workers(WORKERS)
                .set("h2c", "on")
                .set("max-streams", "20")
                .context("/", context -> context.servlet("all", new All(), "/*"));
    }

    @AfterEach
    void stop() {
        mayReturn.release(1000);
        server.close();
    }

    /** A servlet with one path for each kind of response. */
    private final class All extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            switch (request.getPathInfo()) {
                case "/hello" -> response.getOutputStream().print("Hello");
                case "/about" ->
                    response.getWriter()
                            .print(request.getProtocol() + " " + request.getMethod() + " " + request.getHeader("host")
                                    + " "
                                    + request.getHeader("cookie") + " " + request.getQueryString() + " "
                                    + request.getProtocolRequestId());
                case "/peer" ->
                    response.getOutputStream().print(request.getProtocol() + " from " + request.getRemoteAddr());
                case "/echo" -> {
                    response.setContentLengthLong(request.getContentLengthLong());
                    request.getInputStream().transferTo(response.getOutputStream());
                }
                case "/parameter" ->
                    response.getOutputStream().print(request.getMethod() + " " + request.getParameter("word"));
                case "/length" -> {
                    long count = request.getInputStream().transferTo(OutputStream.nullOutputStream());
                    response.getOutputStream().print(Long.toString(count));
                }
                case "/big" -> {
                    byte[] part = new byte[50_000];
                    for (int sent = 0; sent < BIG; sent += part.length) {
                        Arrays.fill(part, (byte) (sent / part.length));
                        response.getOutputStream().write(part);
                    }
                    written.incrementAndGet();
                }
                case "/wait" -> {
                    inside.incrementAndGet();
                    mayReturn.acquireUninterruptibly();
                    inside.decrementAndGet();
                    response.getOutputStream().print("waited");
                }
                case "/hints" -> {
                    response.setHeader("Link", "</style.css>");
                    response.setHeader("Connection", "close");
                    ((io.penstock.request.HttpResponse) response).sendEarlyHints();
                    mayReturn.acquireUninterruptibly();
                    response.setHeader("x-later", "yes");
                }
                case "/empty" -> response.setHeader("x-empty", "yes");
                case "/empty-async" -> {
                    AsyncContext async = request.startAsync();
                    async.start(async::complete);
                }
                case "/empty-non-blocking" -> {
                    AsyncContext async = request.startAsync();
                    ServletOutputStream out = response.getOutputStream();
                    out.setWriteListener(new WriteListener() {
                        @Override
                        public void onWritePossible() throws IOException {
                            out.close();
                            async.complete();
                        }

                        @Override
                        public void onError(Throwable failure) {
                            async.complete();
                        }
                    });
                }
                case "/first" -> {
                    int first = request.getInputStream().read();
                    response.getOutputStream().write(first);
                    response.flushBuffer();
                    request.getInputStream().transferTo(response.getOutputStream());
                }
                case "/answer-and-wait" -> {
                    response.getOutputStream().print("answered");
                    response.getOutputStream().close();
                    inside.incrementAndGet();
                    mayReturn.acquireUninterruptibly();
                    inside.decrementAndGet();
                }
                case "/async" -> {
                    AsyncContext async = request.startAsync();
                    async.start(() -> {
                        try {
                            response.getOutputStream().print("later");
                        } catch (IOException e) {
                            throw new IllegalStateException(e);
                        }
                        async.complete();
                    });
                }
                case "/trailers" -> {
                    request.getInputStream().transferTo(OutputStream.nullOutputStream());
                    Map<String, String> arrived = request.getTrailerFields();
                    response.setTrailerFields(() -> Map.of("x-got", String.valueOf(arrived.get("x-sum"))));
                    response.getOutputStream().print("body");
                }
                case "/short" -> {
                    response.setContentLength(10);
                    response.getOutputStream().print("abc");
                }
                case "/fails" -> throw new IllegalStateException("on purpose");
                case "/fails-late" -> {
                    response.getOutputStream().print("begun");
                    response.flushBuffer();
                    throw new IllegalStateException("on purpose");
                }
                default -> response.sendError(404);
            }
        }
    }

    private Http2Client connect(int... settings) throws IOException {
        return Http2Client.connect(server.port(), settings);
    }

    // ---- requests and responses

    /** RFC 10008. */
    @Test
    void theFormInTheBodyOfAQueryBecomesParameters() throws Exception {
        try (Http2Client client = Http2Client.connect(server.port())) {
            int stream =
                    client.request("QUERY", "/parameter", false, "content-type", "application/x-www-form-urlencoded");
            client.data(stream, "word=body", true);
            assertEquals("QUERY body", client.answer(stream).text());
        }
    }

    @Test
    void aRequestIsAnswered() throws Exception {
        try (Http2Client client = connect()) {
            Answer answer = client.answer(client.get("/hello"));
            assertEquals(200, answer.status());
            assertEquals("Hello", answer.text());
            assertEquals("5", answer.field("content-length"));
            assertTrue(answer.field("date").endsWith(" GMT"));
        }
    }

    @Test
    void theApplicationSeesTheRequest() throws Exception {
        try (Http2Client client = connect()) {
            client.get("/hello");
            Answer answer = client.answer(client.get("/about?a=b", "cookie", "a=1", "cookie", "b=2"));
            assertEquals("HTTP/2.0 GET localhost a=1; b=2 a=b 3", answer.text());
        }
    }

    @Test
    void aHeadHasNoBody() throws Exception {
        try (Http2Client client = connect()) {
            Answer answer = client.answer(client.request("HEAD", "/hello", true));
            assertEquals("5", answer.field("content-length"));
            assertEquals("", answer.text());
            assertTrue(answer.ended);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1000, 65_535})
    void aBodyIsEchoed(int length) throws Exception {
        try (Http2Client client = connect()) {
            byte[] body = new byte[length];
            Arrays.fill(body, (byte) 'x');
            int stream = client.post("/echo", "content-length", Integer.toString(length));
            for (int sent = 0; sent < length; sent += 16_000) {
                client.data(stream, Arrays.copyOfRange(body, sent, Math.min(length, sent + 16_000)), false);
            }
            client.data(stream, new byte[0], true);
            assertArrayEquals(body, client.answer(stream).body.toByteArray());
        }
    }

    @Test
    void aLargeBodyArrivesAsItsWindowIsEnlarged() throws Exception {
        try (Http2Client client = connect()) {
            int stream = client.post("/length");
            int window = Frame.FIRST_WINDOW;
            for (int sent = 0; sent < BIG; ) {
                if (window == 0) {
                    window += client.await(Frame.WINDOW_UPDATE, stream).number();
                }
                int count = Math.min(window, Math.min(16_384, BIG - sent));
                client.data(stream, new byte[count], false);
                sent += count;
                window -= count;
            }
            client.data(stream, new byte[0], true);
            assertEquals(Integer.toString(BIG), client.answer(stream).text());
        }
    }

    @Test
    void trailersGoBothWays() throws Exception {
        try (Http2Client client = connect()) {
            int stream = client.post("/trailers");
            client.data(stream, "abc", false);
            client.frame(Frame.HEADERS, Frame.END_HEADERS | Frame.END_STREAM, stream, Http2Client.block("x-sum", "42"));
            Answer answer = client.answer(stream);
            assertEquals("body", answer.text());
            assertEquals("42", answer.trailers().get("x-got"));
            assertTrue(answer.ended);
        }
    }

    @Test
    void aClientThatExpectsItGets100() throws Exception {
        try (Http2Client client = connect()) {
            int stream = client.post("/echo", "expect", "100-continue", "content-length", "3");
            client.await(Frame.HEADERS, stream);
            assertEquals(100, client.of(stream).status());
            client.data(stream, "abc", true);
            Answer answer = client.answer(stream);
            assertEquals("200", answer.heads.get(1).get(":status"));
            assertEquals("abc", answer.text());
        }
    }

    /** RFC 8297. */
    @Test
    void earlyHintsAreAHeadThatDoesNotEndTheStream() throws Exception {
        try (Http2Client client = connect()) {
            int stream = client.get("/hints");
            assertFalse(client.await(Frame.HEADERS, stream).endsStream());
            assertEquals(
                    Map.of(":status", "103", "link", "</style.css>"),
                    client.of(stream).heads.get(0));
            mayReturn.release();
            Answer answer = client.answer(stream);
            assertEquals(2, answer.heads.size());
            assertEquals("200", answer.heads.get(1).get(":status"));
            assertEquals("</style.css>", answer.heads.get(1).get("link"));
            assertEquals("yes", answer.heads.get(1).get("x-later"));
        }
    }

    /** Clients of gRPC take an empty DATA frame behind such a head for a mistake. */
    @ParameterizedTest
    @ValueSource(strings = {"/empty", "/empty-async", "/empty-non-blocking"})
    void aResponseWithoutABodyIsOneFrame(String path) throws Exception {
        try (Http2Client client = connect()) {
            int stream = client.get(path);
            assertTrue(client.await(Frame.HEADERS, stream).endsStream());
        }
    }

    @Test
    void aCallOfGrpcIsServedWhileItsClientSends() throws Exception {
        try (Http2Client client = connect()) {
            int stream = client.post("/first", "content-type", "application/grpc+proto", "te", "trailers");
            client.data(stream, "a", false);
            while (client.of(stream).body.size() == 0) {
                client.read();
            }
            client.data(stream, "bc", true);
            assertEquals("abc", client.answer(stream).text());
        }
    }

    @Test
    void anAsynchronousRequestIsAnswered() throws Exception {
        try (Http2Client client = connect()) {
            assertEquals("later", client.answer(client.get("/async")).text());
        }
    }

    @Test
    void aResponseThatIsIncompleteIsReset() throws Exception {
        try (Http2Client client = connect()) {
            for (String path : new String[] {"/short", "/fails-late"}) {
                Answer answer = client.answer(client.get(path));
                assertEquals(ErrorCode.INTERNAL_ERROR, answer.reset, path);
                assertFalse(answer.ended);
            }
            assertEquals(500, client.answer(client.get("/fails")).status());
            assertEquals(404, client.answer(client.get("/other")).status());
            assertEquals("Hello", client.answer(client.get("/hello")).text());
        }
    }

    @Test
    void aRequestThatIsAnsweredEarlyNeedNotBeSentToItsEnd() throws Exception {
        try (Http2Client client = connect()) {
            // 413: the declared length is over the limit, and no byte of the body is awaited.
            int stream = client.post("/echo", "content-length", "99999999999");
            Answer answer = client.answer(stream);
            assertEquals(413, answer.status());
            assertTrue(answer.ended);
            client.await(Frame.RST_STREAM, stream);
            assertEquals(ErrorCode.NO_ERROR, answer.reset);
            client.data(stream, "late", true); // was on its way
            assertEquals("Hello", client.answer(client.get("/hello")).text());
        }
    }

    @Test
    void manyStreamsAreAnswered() throws Exception {
        try (Http2Client client = connect()) {
            for (int i = 0; i < 2_000; i++) {
                int stream = client.get("/hello");
                if (i % 10 == 9) {
                    for (int back = 18; back >= 0; back -= 2) {
                        assertEquals("Hello", client.answer(stream - back).text());
                    }
                }
            }
        }
    }

    @Test
    void anotherClientOfThePortSpeaksHttp11() throws Exception {
        HttpURLConnection old =
                (HttpURLConnection) new URL("http://127.0.0.1:" + server.port() + "/about").openConnection();
        try (InputStream in = old.getInputStream()) {
            assertTrue(new String(in.readAllBytes(), StandardCharsets.US_ASCII).startsWith("HTTP/1.1 GET"));
        } finally {
            old.disconnect();
        }
    }

    @Test
    void aConnectionBehindAProxyHasTheAddressesOfItsProxyHeader() throws Exception {
        try (Penstock proxied = settings()
                        .set("proxy-protocol", "on")
                        .set("trusted-proxies", "127.0.0.1")
                        .start();
                Http2Client client = Http2Client.raw(proxied.port())) {
            client.send("PROXY TCP4 192.0.2.1 198.51.100.1 56324 443\r\n".getBytes(StandardCharsets.US_ASCII));
            client.begin();
            assertEquals(
                    "HTTP/2.0 from 192.0.2.1",
                    client.answer(client.get("/peer")).text());
        }
    }

    @Test
    void aUnixDomainSocketHasHttp2() throws Exception {
        Path file = Files.createTempDirectory("h2").resolve("s");
        try (Penstock local = settings(Penstock.builder().set("listen", "unix:" + file))
                        .start();
                Http2Client client = Http2Client.connect(file)) {
            assertEquals("HTTP/2.0 from ", client.answer(client.get("/peer")).text());
            int echo = client.post("/echo", "content-length", "3");
            client.data(echo, "abc", true);
            assertEquals("abc", client.answer(echo).text());
        }
        Files.delete(file.getParent());
    }

    // ---- slow clients

    @Test
    void streamsWhoseClientReadsNothingHoldNoWorker() throws Exception {
        try (Http2Client client = connect(Frame.INITIAL_WINDOW_SIZE, 1000)) {
            int first = client.get("/big");
            for (int i = 0; i < 8 * WORKERS; i++) {
                client.get("/big");
            }
            for (int i = 0; i < 10; i++) {
                assertEquals("Hello", client.answer(client.get("/hello")).text());
            }
            client.enlarge(0, Integer.MAX_VALUE - Frame.FIRST_WINDOW);
            client.enlarge(first, BIG);
            byte[] body = client.answer(first).body.toByteArray();
            assertEquals(BIG, body.length);
            for (int i = 0; i < BIG; i++) {
                assertEquals((byte) (i / 50_000), body[i]);
            }
        }
    }

    @Test
    void uploadsThatDoNotGoOnHoldNoWorker() throws Exception {
        try (Http2Client client = connect()) {
            for (int i = 0; i < 4 * WORKERS; i++) {
                client.data(client.post("/length"), "begun", false);
            }
            assertEquals("Hello", client.answer(client.get("/hello")).text());
        }
    }

    @Test
    void theWindowOfTheConnectionStopsOnlyBodies() throws Exception {
        try (Http2Client client = connect(Frame.INITIAL_WINDOW_SIZE, BIG)) {
            int big = client.get("/big");
            while (client.of(big).body.size() < Frame.FIRST_WINDOW) {
                client.read();
            }
            assertEquals(
                    "5", client.answer(client.request("HEAD", "/hello", true)).field("content-length"));
            client.enlarge(0, BIG);
            assertEquals(BIG, client.answer(big).body.size());
        }
    }

    @Test
    void aSmallerInitialWindowMayMakeWindowsNegative() throws Exception {
        try (Http2Client client = connect()) {
            int big = client.get("/big");
            while (client.of(big).body.size() < Frame.FIRST_WINDOW) {
                client.read();
            }
            client.enlarge(0, BIG);
            client.send(Frame.settings(Frame.INITIAL_WINDOW_SIZE, 10));
            client.enlarge(big, 10);
            client.roundTrip();
            assertEquals(Frame.FIRST_WINDOW, client.of(big).body.size());
            client.enlarge(big, BIG);
            assertEquals(BIG, client.answer(big).body.size());
        }
    }

    @Test
    void anUrgentResponseGoesFirst() throws Exception {
        try (Http2Client client = connect(Frame.INITIAL_WINDOW_SIZE, BIG)) {
            int big = client.get("/big", "priority", "u=7");
            while (client.of(big).body.size() < Frame.FIRST_WINDOW) {
                client.read();
            }
            int urgent = client.get("/big", "priority", "u=0, i");
            await().atMost(PATIENCE)
                    .until(() -> written.get() == 2 && server.gauges().get("workers-busy") == 0);
            client.enlarge(0, BIG);
            assertEquals(BIG, client.answer(urgent).body.size());
            assertEquals(Frame.FIRST_WINDOW, client.of(big).body.size());
        }
    }

    @ParameterizedTest
    @CsvSource({"u=3, true", "'i=?0', true", "i, false", "'u=3, i=?1', false"})
    void onlyAResponseThatIsOfUseInPartsIsSentInTurnsWithOthers(String priority, boolean severalTurns)
            throws Exception {
        try (Http2Client client = connect(Frame.INITIAL_WINDOW_SIZE, BIG)) {
            int later = client.get("/big", "priority", "u=7");
            while (client.of(later).body.size() < Frame.FIRST_WINDOW) {
                client.read();
            }
            int[] streams = new int[2];
            for (int i = 0; i < streams.length; i++) {
                int before = i + 1;
                streams[i] = client.get("/big", "priority", priority);
                await().atMost(PATIENCE)
                        .until(() ->
                                written.get() == before + 1 && server.gauges().get("workers-busy") == 0);
            }
            client.enlarge(0, 2 * BIG);
            while (client.of(streams[1]).body.size() == 0) {
                client.read();
            }
            int earlier = client.of(streams[0]).body.size();
            assertTrue(severalTurns ? earlier >= 4 * TURN : earlier <= 2 * TURN, earlier + " bytes");
        }
    }

    // ---- resets

    @Test
    void aResetTakesAWaitingRequestOutOfTheQueue() throws Exception {
        try (Http2Client client = connect()) {
            for (int i = 0; i < WORKERS; i++) {
                client.get("/wait");
            }
            await().atMost(PATIENCE).until(() -> inside.get() == WORKERS);
            for (int i = 0; i < 1000; i++) {
                client.reset(client.get("/wait"));
            }
            client.roundTrip();
            assertEquals(0, server.gauges().get("queued"));
            mayReturn.release(WORKERS);
            assertEquals("Hello", client.answer(client.get("/hello")).text());
            assertEquals(1000, server.counters().get("streams-reset"));
        }
    }

    @Test
    void aStreamCountsUntilItsServletHasReturned() throws Exception {
        try (Http2Client client = connect()) {
            for (int i = 1; i <= WORKERS; i++) {
                int stream = client.get("/wait");
                int running = i;
                await().atMost(PATIENCE).until(() -> inside.get() == running);
                client.reset(stream);
            }
            for (int i = 0; i < 20 - WORKERS; i++) {
                client.post("/length");
            }
            assertEquals(ErrorCode.REFUSED_STREAM, client.answer(client.get("/hello")).reset);
            mayReturn.release(WORKERS);
            await().atMost(PATIENCE).until(() -> inside.get() == 0);
            await().atMost(PATIENCE).until(() -> client.answer(client.get("/hello")).reset == null);
            assertTrue(server.counters().get("streams-refused") > 0);
        }
    }

    /** RFC 9113 section 5.1: the client must learn that the stream is closed, although its worker is still at the end of the call. */
    @Test
    void dataBehindTheEndOfAnAnsweredStreamIsAnsweredByAReset() throws Exception {
        try (Http2Client client = connect()) {
            int stream = client.get("/answer-and-wait");
            client.answer(stream);
            client.data(stream, "more", true);
            assertEquals(
                    ErrorCode.STREAM_CLOSED,
                    client.await(Frame.RST_STREAM, stream).code());
        }
    }

    @Test
    void aStreamThatIsAnsweredMakesRoomForAnother() throws Exception {
        try (Http2Client client = connect()) {
            for (int i = 0; i < WORKERS; i++) {
                assertEquals(
                        "answered",
                        client.answer(client.get("/answer-and-wait")).text());
            }
            await().atMost(PATIENCE).until(() -> inside.get() == WORKERS);
            for (int i = 1; i < 20; i++) {
                client.post("/length");
            }
            int last = client.post("/length");
            client.roundTrip();
            assertNull(client.of(last).reset);
            assertEquals(ErrorCode.REFUSED_STREAM, client.answer(client.get("/hello")).reset);
        }
    }

    // ---- mistakes

    @ParameterizedTest
    @CsvSource({
        "DATA of a stream that is idle,            0000000000 00000001, PROTOCOL_ERROR",
        "HEADERS of the connection,                0000010105 00000000 82, PROTOCOL_ERROR",
        "HEADERS of a stream of the server,        0000010105 00000002 82, PROTOCOL_ERROR",
        "a frame that is too long,                 0040010105 00000001, FRAME_SIZE_ERROR",
        "PING of seven octets,                     0000070600 00000000 00000000000000, FRAME_SIZE_ERROR",
        "RST_STREAM of a stream that is idle,      0000040300 00000001 00000000, PROTOCOL_ERROR",
        "RST_STREAM of the idle stream 2, 0000060105 00000003 828684410161 0000040300 00000002 00000000, PROTOCOL_ERROR",
        "WINDOW_UPDATE of stream 2, 0000060105 00000003 828684410161 0000040800 00000002 00000001, PROTOCOL_ERROR",
        "PRIORITY_UPDATE for the connection,       0000041000 00000000 00000000, PROTOCOL_ERROR",
        "PRIORITY_UPDATE for stream 2,             0000041000 00000000 00000002, PROTOCOL_ERROR",
        "SETTINGS of a stream,                     0000000400 00000001, PROTOCOL_ERROR",
        "SETTINGS of five octets,                  0000050400 00000000 0000000000, FRAME_SIZE_ERROR",
        "an initial window of 2^31,                0000060400 00000000 000480000000, FLOW_CONTROL_ERROR",
        "PUSH_PROMISE,                             0000040504 00000001 00000002, PROTOCOL_ERROR",
        "CONTINUATION without a head,              0000010904 00000001 82, PROTOCOL_ERROR",
        "WINDOW_UPDATE of 0,                       0000040800 00000000 00000000, PROTOCOL_ERROR",
        "a window of more than 2^31-1,             0000040800 00000000 7fffffff, FLOW_CONTROL_ERROR",
        "a head that cannot be decoded,            0000010105 00000001 80, COMPRESSION_ERROR",
    })
    void aMistakeThatConcernsTheConnectionEndsIt(String what, String frame, ErrorCode code) throws Exception {
        try (Http2Client client = connect()) {
            client.send(HexFormat.of().parseHex(frame.replace(" ", "")));
            assertEquals(code, client.awaitClose(), what);
        }
    }

    @Test
    void aMistakeWithinARequestEndsOnlyItsStream() throws Exception {
        try (Http2Client client = connect()) {
            assertEquals(ErrorCode.PROTOCOL_ERROR, client.answer(client.get("/hello", "connection", "close")).reset);
            int tooShort = client.post("/length", "content-length", "3");
            client.data(tooShort, "ab", true);
            assertEquals(ErrorCode.PROTOCOL_ERROR, client.answer(tooShort).reset);
            int tooLong = client.post("/length", "content-length", "3");
            client.data(tooLong, "abcd", false);
            assertEquals(ErrorCode.PROTOCOL_ERROR, client.answer(tooLong).reset);
            int zero = client.post("/length");
            client.enlarge(zero, 0);
            assertEquals(ErrorCode.PROTOCOL_ERROR, client.answer(zero).reset);
            assertEquals("Hello", client.answer(client.get("/hello")).text());
        }
    }

    @Test
    void afterAHeadThatIsTooLargeTheTableIsInStep() throws Exception {
        try (Http2Client client = connect()) {
            int stream = client.nextStream();
            byte[] start = Http2Client.head("GET", "/hello");
            ByteArrayOutputStream block = new ByteArrayOutputStream();
            block.writeBytes(start);
            // x-kept: an entry behind so many fields that the head is too large
            for (int i = 0; i < 300; i++) {
                block.writeBytes(Http2Client.block("x-long", "v".repeat(30)));
            }
            block.writeBytes(HexFormat.of().parseHex("40" + "06" + "782d6b657074" + "01" + "79"));
            client.frame(Frame.HEADERS, Frame.END_HEADERS | Frame.END_STREAM, stream, block.toByteArray());
            assertEquals(431, client.answer(stream).status());
            int next = client.nextStream();
            ByteArrayOutputStream again = new ByteArrayOutputStream();
            again.writeBytes(start);
            again.write(0x80 | 62); // x-kept: y
            client.frame(Frame.HEADERS, Frame.END_HEADERS | Frame.END_STREAM, next, again.toByteArray());
            assertEquals("Hello", client.answer(next).text());
        }
    }

    @Test
    void noPrefaceAndNoSettingsAreMistakes() throws Exception {
        try (Http2Client client = Http2Client.raw(server.port())) {
            client.send(Frame.PREFACE);
            client.get("/hello");
            assertEquals(ErrorCode.PROTOCOL_ERROR, client.awaitClose());
        }
    }

    @Test
    void aHeadInTooManyFramesEndsTheConnection() throws Exception {
        try (Http2Client client = connect()) {
            client.frame(Frame.HEADERS, Frame.END_STREAM, client.nextStream(), new byte[0]);
            for (int i = 0; i < 9; i++) {
                client.frame(Frame.CONTINUATION, 0, 1, new byte[0]);
            }
            assertEquals(ErrorCode.ENHANCE_YOUR_CALM, client.awaitClose());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ping", "settings", "priority", "window", "empty data"})
    void aFloodIsReadSlowlyAndItsConnectionIsNotClosed(String kind) throws Exception {
        try (Http2Client client = connect()) {
            int stream = client.post("/length");
            client.roundTrip();
            for (int i = 0; i < 6_000; i++) {
                switch (kind) {
                    case "ping" -> client.send(Frame.ping(i, 0));
                    case "settings" -> client.send(Frame.settings());
                    case "priority" -> client.frame(Frame.PRIORITY, 0, stream, new byte[5]);
                    case "window" -> client.enlarge(stream, 1);
                    default -> client.data(stream, new byte[0], false);
                }
                if (i % 500 == 499) {
                    client.roundTrip();
                }
            }
            client.data(stream, "abc", true);
            assertEquals("3", client.answer(stream).text());
            assertTrue(server.counters().get("flood-pauses") > 0, "pauses");
        }
    }

    // ---- the end

    @Test
    void aStoppingServerAnswersWhatRunsAndSaysWhichRequestsItHasSeen() throws Exception {
        try (Http2Client client = connect()) {
            int stream = client.get("/wait");
            await().atMost(PATIENCE).until(() -> inside.get() == 1);
            CountDownLatch stopped = new CountDownLatch(1);
            Thread stopping = new Thread(() -> {
                server.close();
                stopped.countDown();
            });
            stopping.start();
            assertEquals(
                    Frame.MAX_STREAM_ID, client.await(Frame.GOAWAY, 0).number(), "further requests are still served");
            assertEquals(stream, client.await(Frame.GOAWAY, 0).number());
            mayReturn.release();
            Answer answer = client.answer(stream);
            assertNull(answer.reset);
            assertEquals("waited", answer.text());
            client.awaitEnd();
            assertTrue(stopped.await(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        }
    }

    @Test
    void aCallThatIsNotInterruptedIsAnswered503() throws Exception {
        try (Penstock limited = settings().set("service-timeout", "100ms").start();
                Http2Client client = Http2Client.connect(limited.port())) {
            int late = client.get("/wait");
            assertEquals(503, client.answer(late).status());
            assertEquals("Hello", client.answer(client.get("/hello")).text());
            mayReturn.release();
            await().atMost(PATIENCE).until(() -> inside.get() == 0);
        }
    }

    @Test
    void aServerThatCannotWaitLongerAnswers503() throws Exception {
        try (Penstock limited = settings().set("shutdown-timeout", "100ms").start();
                Http2Client client = Http2Client.connect(limited.port())) {
            int running = client.get("/wait");
            await().atMost(PATIENCE).until(() -> inside.get() == 1);
            Thread stopping = new Thread(limited::close);
            stopping.start();
            assertEquals(503, client.answer(running).status());
            mayReturn.release();
            client.awaitEnd();
            stopping.join();
        }
    }

    @Test
    void aClientThatLeavesEndsItsRequests() throws Exception {
        try (Http2Client client = connect()) {
            for (int i = 0; i < WORKERS; i++) {
                client.get("/wait");
            }
            await().atMost(PATIENCE).until(() -> inside.get() == WORKERS);
            client.get("/wait");
            client.post("/length");
            client.roundTrip();
        }
        await().atMost(PATIENCE).until(() -> server.gauges().get("queued") == 0);
        mayReturn.release(WORKERS);
        try (Http2Client other = connect()) {
            assertEquals("Hello", other.answer(other.get("/hello")).text());
        }
    }
}

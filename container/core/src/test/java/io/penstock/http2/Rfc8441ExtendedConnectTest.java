package io.penstock.http2;

import static io.penstock.PromptWaits.PATIENCE;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.LeakCheck;
import io.penstock.Penstock;
import io.penstock.http2.Http2Client.Answer;
import io.penstock.http2.Http2Client.Received;
import io.penstock.part.UpgradedConnection;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpUpgradeHandler;
import jakarta.servlet.http.WebConnection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Extended CONNECT on the wire (RFC 8441): an upgrade of one stream. The other protocol is an echo. */
final class Rfc8441ExtendedConnectTest {
    private static final int BIG = 1_000_000;

    @RegisterExtension
    final LeakCheck nothingLeft = new LeakCheck();

    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private Penstock server;

    @BeforeEach
    void start() throws Exception {
        server = settings().start();
    }

    private Penstock.Builder settings() {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(1)
                .set("h2c", "on")
                .context("/", context -> context.servlet("upgrades", new Upgrades(), "/*"));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private final class Upgrades extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException {
            switch (request.getPathInfo()) {
                case "/hello" -> response.getOutputStream().print("Hello");
                case "/forbidden" -> response.sendError(403);
                default -> {
                    response.setHeader(
                            "X-Seen",
                            request.getProtocol() + " " + request.getMethod() + " "
                                    + request.getHeader("Upgrade") + " " + request.getHeader("Connection") + " "
                                    + request.getQueryString() + " "
                                    + request.getInputStream().read());
                    response.setHeader("Upgrade", "websocket");
                    response.setHeader("Connection", "Upgrade");
                    response.setHeader("Sec-WebSocket-Accept", "x");
                    Echo echo = request.upgrade(Echo.class);
                    echo.events = events;
                    echo.kind = request.getPathInfo();
                }
            }
        }
    }

    /** Returns what arrives, and closes at the client's end. Some bytes are commands. */
    public static final class Echo implements HttpUpgradeHandler, ReadListener {
        private BlockingQueue<String> events;
        private String kind;
        private UpgradedConnection connection;
        private ServletInputStream in;

        @Override
        public void init(WebConnection begun) {
            connection = (UpgradedConnection) begun;
            try {
                in = begun.getInputStream();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
            if (kind.equals("/flood")) {
                send(new byte[BIG]);
            }
            if (!kind.equals("/deaf")) {
                in.setReadListener(this);
            }
            events.add("open");
        }

        private void send(byte[] bytes) {
            ByteBuffer payload = ByteBuffer.wrap(bytes);
            try {
                while (payload.hasRemaining()) {
                    connection.offer(ByteBuffer.allocate(0), payload, true);
                }
            } catch (IOException e) {
                events.add("refused");
            }
        }

        @Override
        public void onDataAvailable() throws IOException {
            byte[] chunk = new byte[4096];
            while (in.isReady()) {
                int count = in.read(chunk);
                if (count < 0) {
                    return;
                }
                String text = new String(chunk, 0, count, StandardCharsets.ISO_8859_1);
                send(Arrays.copyOf(chunk, count));
                if (text.equals("bye")) {
                    connection.close();
                } else if (text.equals("abort")) {
                    connection.abort(new IOException("as you wish"));
                } else if (text.equals("block")) {
                    block();
                }
            }
        }

        private void block() {
            try {
                events.add("blocks");
                new Semaphore(0).acquire();
            } catch (InterruptedException e) {
                events.add("interrupted");
            }
        }

        @Override
        public void onAllDataRead() {
            events.add(connection.isLeaving() ? "leaving" : "end");
            connection.close();
        }

        @Override
        public void onError(Throwable failure) {
            events.add("error");
        }

        @Override
        public void destroy() {
            events.add("destroyed");
        }
    }

    private void assertEvents(String... expected) throws InterruptedException {
        for (String event : expected) {
            assertEquals(event, events.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        }
    }

    private Http2Client connect(int... settings) throws IOException {
        return Http2Client.connect(server.port(), settings);
    }

    /** Sends an extended CONNECT. Returns the number of its stream. */
    private static int ask(Http2Client client, String protocol, String path) throws IOException {
        int stream = client.nextStream();
        client.frame(Frame.HEADERS, Frame.END_HEADERS, stream, head(protocol, path));
        return stream;
    }

    private static byte[] head(String protocol, String path) {
        return Http2Client.block(
                ":method", "CONNECT",
                ":protocol", protocol,
                ":scheme", "http",
                ":path", path,
                ":authority", "localhost",
                "sec-websocket-version", "13");
    }

    private static int open(Http2Client client, String path) throws IOException {
        int stream = ask(client, "websocket", path);
        Received head = client.await(Frame.HEADERS, stream);
        assertEquals(200, client.of(stream).status());
        assertFalse(head.endsStream());
        return stream;
    }

    /** Reads until so many bytes of the stream have arrived. */
    private static String awaitBytes(Http2Client client, int stream, int count) throws IOException {
        while (client.of(stream).body.size() < count) {
            client.read();
        }
        return client.of(stream).text();
    }

    private void assertServesOthers(Http2Client client) throws IOException {
        assertEquals("Hello", client.answer(client.get("/hello")).text());
    }

    // ---- the handshake

    @Test
    void theServerSaysThatItKnowsExtendedConnect() throws Exception {
        try (Http2Client client = connect()) {
            ByteBuffer settings =
                    ByteBuffer.wrap(client.await(Frame.SETTINGS, 0).payload());
            boolean offered = false;
            while (settings.hasRemaining()) {
                int name = settings.getShort();
                int value = settings.getInt();
                offered |= name == Frame.ENABLE_CONNECT_PROTOCOL && value == 1;
            }
            assertTrue(offered);
        }
    }

    @Test
    void theApplicationSeesTheUpgradeOfHttp11AndTheClientSees200() throws Exception {
        try (Http2Client client = connect()) {
            int stream = open(client, "/echo?a=b");
            Answer answer = client.of(stream);
            assertEquals("HTTP/2.0 GET websocket Upgrade a=b -1", answer.field("x-seen"));
            assertNull(answer.field("upgrade"));
            assertNull(answer.field("connection"));
            assertNull(answer.field("sec-websocket-accept"));
            assertNull(answer.field("content-length"));
            assertEvents("open");
            client.data(stream, "one", false);
            assertEquals("one", awaitBytes(client, stream, 3));
            client.data(stream, "two", false);
            assertEquals("onetwo", awaitBytes(client, stream, 6));
            await().atMost(PATIENCE).until(() -> server.gauges().get("connections-upgraded") == 1);
        }
    }

    @Test
    void bytesThatComeBeforeTheAnswerAreNotLost() throws Exception {
        try (Http2Client client = connect()) {
            int stream = ask(client, "websocket", "/echo");
            client.data(stream, "early", false);
            assertEquals("early", awaitBytes(client, stream, 5));
        }
    }

    @Test
    void anApplicationMayRefuse() throws Exception {
        try (Http2Client client = connect()) {
            Answer forbidden = client.answer(ask(client, "websocket", "/forbidden"));
            assertEquals(403, forbidden.status());
            assertTrue(forbidden.ended);
            // With a status of 2xx, the client would take the page for bytes of its tunnel.
            assertEquals(501, client.answer(ask(client, "websocket", "/hello")).status());
            assertServesOthers(client);
        }
    }

    @Test
    void anotherProtocolIsAnswered501() throws Exception {
        try (Http2Client client = connect()) {
            assertEquals(501, client.answer(ask(client, "connect-udp", "/echo")).status());
            assertServesOthers(client);
        }
    }

    @Test
    void aConnectWithoutAProtocolIsStillForProxies() throws Exception {
        try (Http2Client client = connect()) {
            int stream = client.nextStream();
            byte[] head = Http2Client.block(":method", "CONNECT", ":authority", "localhost:80");
            client.frame(Frame.HEADERS, Frame.END_HEADERS | Frame.END_STREAM, stream, head);
            assertEquals(501, client.answer(stream).status());
        }
    }

    @Test
    void anEndOrALengthIsAnswered400() throws Exception {
        try (Http2Client client = connect()) {
            int ended = client.nextStream();
            client.frame(Frame.HEADERS, Frame.END_HEADERS | Frame.END_STREAM, ended, head("websocket", "/echo"));
            assertEquals(400, client.answer(ended).status());
            int measured = client.nextStream();
            byte[] head = Http2Client.block(
                    ":method",
                    "CONNECT",
                    ":protocol",
                    "websocket",
                    ":scheme",
                    "http",
                    ":path",
                    "/echo",
                    ":authority",
                    "localhost",
                    "content-length",
                    "5");
            client.frame(Frame.HEADERS, Frame.END_HEADERS, measured, head);
            assertEquals(400, client.answer(measured).status());
            assertServesOthers(client);
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "no path, ':method CONNECT :protocol websocket :scheme http :authority localhost'",
        "no scheme, ':method CONNECT :protocol websocket :path /echo :authority localhost'",
        "another method, ':method GET :protocol websocket :scheme http :path /echo :authority localhost'",
        "two protocols, ':method CONNECT :protocol websocket :protocol websocket :scheme http :path /echo'",
        "no token, ':method CONNECT :protocol web/socket :scheme http :path /echo :authority localhost'",
        "late, ':method CONNECT :scheme http :path /echo :authority localhost x-a b :protocol websocket'",
        "a field of HTTP/1.1, ':method CONNECT :protocol websocket :scheme http :path /echo upgrade websocket'"
    })
    void aMalformedExtendedConnectIsReset(String what, String fields) throws Exception {
        try (Http2Client client = connect()) {
            int stream = client.nextStream();
            client.frame(Frame.HEADERS, Frame.END_HEADERS, stream, Http2Client.block(fields.split(" ")));
            assertEquals(ErrorCode.PROTOCOL_ERROR, client.answer(stream).reset);
            assertServesOthers(client);
        }
    }

    // ---- windows

    @Test
    void bytesWaitForTheWindowOfTheStreamAndOthersAreServed() throws Exception {
        try (Http2Client client = connect(Frame.INITIAL_WINDOW_SIZE, 10)) {
            int stream = open(client, "/flood");
            assertEvents("open");
            awaitBytes(client, stream, 10);
            await().atMost(PATIENCE).until(() -> server.gauges().get("workers-busy") == 0);
            assertServesOthers(client);
            assertEquals(10, client.of(stream).body.size());
            client.enlarge(0, BIG);
            client.enlarge(stream, 5);
            awaitBytes(client, stream, 15);
            client.roundTrip();
            assertEquals(15, client.of(stream).body.size());
            client.enlarge(stream, BIG);
            awaitBytes(client, stream, BIG);
            client.data(stream, "x", false);
            assertTrue(awaitBytes(client, stream, BIG + 1).endsWith("x"));
            client.reset(stream);
            assertEvents("error", "destroyed");
        }
    }

    @Test
    void theWindowOfTheClientIsEnlargedAsTheApplicationReads() throws Exception {
        int most = 10_000;
        try (Http2Client client = connect()) {
            client.enlarge(0, 1 << 30);
            int stream = open(client, "/echo");
            client.enlarge(stream, 1 << 30);
            int permitted = Frame.FIRST_WINDOW;
            for (int sent = 0; sent < BIG; ) {
                while (permitted == 0) {
                    client.read();
                    permitted += client.takeWindow(stream);
                }
                int part = Math.min(most, Math.min(permitted, BIG - sent));
                client.data(stream, new byte[part], false);
                permitted -= part;
                sent += part;
            }
            awaitBytes(client, stream, BIG);
        }
    }

    @Test
    void anApplicationThatDoesNotReadBlocksOnlyItsStream() throws Exception {
        try (Http2Client client = connect()) {
            int stream = open(client, "/deaf");
            for (int i = 0; i < 4; i++) {
                client.data(stream, new byte[16_000], false);
            }
            client.roundTrip();
            assertEquals(0, client.takeWindow(stream));
            assertServesOthers(client);
            client.data(stream, new byte[16_000], false);
            assertEquals(ErrorCode.FLOW_CONTROL_ERROR, client.answer(stream).reset);
            assertServesOthers(client);
        }
    }

    // ---- ends

    @Test
    void theEndOfTheClientIsAnsweredByTheEndOfTheApplication() throws Exception {
        try (Http2Client client = connect()) {
            int stream = open(client, "/echo");
            client.data(stream, "last", true);
            Answer answer = client.answer(stream);
            assertTrue(answer.ended);
            assertNull(answer.reset);
            assertEquals("last", answer.text());
            assertEvents("open", "end", "destroyed");
            await().atMost(PATIENCE).until(() -> server.gauges().get("streams") == 0);
            assertServesOthers(client);
            assertNull(client.of(stream).reset);
        }
    }

    @Test
    void theEndOfTheApplicationIsAnsweredByTheClient() throws Exception {
        try (Http2Client client = connect()) {
            int stream = open(client, "/echo");
            client.data(stream, "bye", false);
            Answer answer = client.answer(stream);
            assertTrue(answer.ended);
            assertEquals("bye", answer.text());
            assertEvents("open", "destroyed");
            client.data(stream, "too late", false);
            client.data(stream, "", true);
            client.roundTrip();
            assertNull(client.of(stream).reset);
            await().atMost(PATIENCE).until(() -> server.gauges().get("streams") == 0);
        }
    }

    @Test
    void aClientThatDoesNotEndItsDirectionIsReset() throws Exception {
        try (Penstock hasty = settings().set("linger-timeout", "50ms").start();
                Http2Client client = Http2Client.connect(hasty.port())) {
            int stream = open(client, "/echo");
            client.data(stream, "bye", false);
            assertTrue(client.answer(stream).ended);
            client.await(Frame.RST_STREAM, stream);
            assertEquals(ErrorCode.NO_ERROR, client.of(stream).reset);
            assertServesOthers(client);
        }
    }

    @Test
    void aResetOfTheClientEndsOnlyItsTunnel() throws Exception {
        try (Http2Client client = connect()) {
            int stream = open(client, "/echo");
            int other = open(client, "/echo");
            assertEvents("open", "open");
            client.reset(stream);
            assertEvents("error", "destroyed");
            client.data(other, "still here", false);
            assertEquals("still here", awaitBytes(client, other, 10));
        }
        assertEvents("error", "destroyed");
    }

    @Test
    void anAbortOfTheApplicationResetsTheStream() throws Exception {
        try (Http2Client client = connect()) {
            int stream = open(client, "/echo");
            client.data(stream, "abort", false);
            client.await(Frame.RST_STREAM, stream);
            assertEquals(ErrorCode.CANCEL, client.of(stream).reset);
            assertServesOthers(client);
        }
        assertEvents("open");
    }

    @Test
    void aHeadWithinATunnelResetsIt() throws Exception {
        try (Http2Client client = connect()) {
            int stream = open(client, "/echo");
            client.frame(
                    Frame.HEADERS, Frame.END_HEADERS | Frame.END_STREAM, stream, Http2Client.block("x-trailer", "y"));
            assertEquals(ErrorCode.PROTOCOL_ERROR, client.answer(stream).reset);
            assertServesOthers(client);
        }
    }

    // ---- time and number

    @Test
    void aTunnelWithoutTrafficIsReset() throws Exception {
        try (Penstock hasty = settings().set("upgrade-idle-timeout", "50ms").start();
                Http2Client client = Http2Client.connect(hasty.port())) {
            int stream = open(client, "/echo");
            assertEquals(ErrorCode.CANCEL, client.answer(stream).reset);
            assertEvents("open", "error", "destroyed");
            assertServesOthers(client);
        }
    }

    /** The deadlines of bodies are much shorter than those of a tunnel. */
    @Test
    void aTunnelIsNoBodyThatIsLate() throws Exception {
        try (Penstock hasty = settings().set("body-stall-timeout", "50ms").start();
                Http2Client client = Http2Client.connect(hasty.port())) {
            int stream = open(client, "/echo");
            int late = client.post("/hello");
            client.answer(late); // refused after the time that the tunnel has had, too
            client.data(stream, "late", false);
            assertEquals("late", awaitBytes(client, stream, 4));
        }
    }

    @Test
    void aClientThatTakesNoByteOfItsTunnelLosesIt() throws Exception {
        try (Penstock hasty = settings().set("write-stall-timeout", "200ms").start();
                Http2Client client = Http2Client.connect(hasty.port(), Frame.INITIAL_WINDOW_SIZE, 10)) {
            int stream = open(client, "/flood");
            assertEquals(ErrorCode.CANCEL, client.answer(stream).reset);
            assertServesOthers(client);
        }
    }

    @Test
    void tunnelsCountAsStreams() throws Exception {
        try (Penstock narrow = settings().set("max-streams", "1").start();
                Http2Client client = Http2Client.connect(narrow.port())) {
            int stream = open(client, "/echo");
            assertEquals(ErrorCode.REFUSED_STREAM, client.answer(client.get("/hello")).reset);
            client.data(stream, "", true);
            assertTrue(client.answer(stream).ended);
            await().atMost(PATIENCE).until(() -> narrow.gauges().get("streams") == 0);
            assertServesOthers(client);
        }
    }

    // ---- the end of the server

    @Test
    void aStoppingServerTellsTheApplicationWhichEndsItsTunnel() throws Exception {
        try (Http2Client client = connect()) {
            int stream = open(client, "/echo");
            assertEvents("open");
            Thread stopping = new Thread(server::close);
            stopping.start();
            assertTrue(client.answer(stream).ended);
            client.data(stream, "", true);
            client.awaitEnd();
            stopping.join();
            assertEvents("leaving", "destroyed");
        }
    }

    @Test
    void aServerThatCannotWaitLongerResetsTheTunnel() throws Exception {
        try (Penstock hasty = settings().set("shutdown-timeout", "100ms").start();
                Http2Client client = Http2Client.connect(hasty.port())) {
            int stream = open(client, "/echo");
            client.data(stream, "block", false);
            assertEvents("open", "blocks");
            Thread stopping = new Thread(hasty::close);
            stopping.start();
            assertEquals(ErrorCode.CANCEL, client.answer(stream).reset);
            client.awaitEnd();
            stopping.join();
            assertEvents("interrupted");
        }
    }
}

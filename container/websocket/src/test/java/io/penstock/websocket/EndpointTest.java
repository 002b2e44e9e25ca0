package io.penstock.websocket;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.Penstock;
import io.penstock.StartException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.MessageHandler;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the guarantees of RFC 6455 and Jakarta WebSocket 2.2 for an endpoint and its client. */
class EndpointTest {
    private Penstock server;

    /** An endpoint that is configured in code. */
    public static final class InCodeEndpoint extends Endpoint {
        @Override
        public void onOpen(Session session, EndpointConfig config) {
            session.addMessageHandler(String.class, (MessageHandler.Whole<String>)
                    text -> session.getAsyncRemote().sendText("in code: " + text));
        }
    }

    private static final class HelloServlet extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print("hello");
        }
    }

    private static Penstock.Builder builder() {
        return Penstock.builder().host("127.0.0.1").port(0).workers(2);
    }

    @BeforeEach
    void start() throws StartException {
        TalkEndpoint.ENDS.clear();
        server = builder()
                .context("/", context -> context.servlet("hello", new HelloServlet(), "/hello")
                        .initializer(
                                WebSockets.endpoints(TalkEndpoint.class, BoundedEndpoint.class, RoomyEndpoint.class)))
                .start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static void assertEndpointReports(String expected) throws InterruptedException {
        assertEquals(expected, TalkEndpoint.ENDS.poll(60, TimeUnit.SECONDS));
    }

    @Test
    void anEndpointIsReachedInAContextWhosePathNeedsEscapes() throws Exception {
        try (Penstock other = builder()
                        .context(
                                "/my caf\u00e9",
                                context -> context.initializer(WebSockets.endpoints(TalkEndpoint.class)))
                        .start();
                Socket upper = RawHandshake.connect(other, "/my%20caf%C3%A9/talk/hall");
                Socket lower = RawHandshake.connect(other, "/my%20caf%c3%a9/talk/hall")) {
            for (Socket socket : List.of(upper, lower)) {
                RawHandshake.sendText(socket, "x");
                assertArrayEquals(
                        "\u0081\u0007hall: x".getBytes(StandardCharsets.ISO_8859_1),
                        socket.getInputStream().readNBytes(9));
            }
        }
    }

    // ---- messages

    @Test
    void theEndpointReceivesAndReturnsText() throws Exception {
        try (RecordingWebSocketClient client = new RecordingWebSocketClient(server, "/talk/hall")) {
            client.say("Grüße, 世界 \uD83D\uDE00");
            client.assertHears("hall: Grüße, 世界 \uD83D\uDE00");
            client.say("");
            client.assertHears("hall: ");
        }
    }

    @Test
    void theEndpointReceivesAndReturnsBytes() throws Exception {
        try (RecordingWebSocketClient client = new RecordingWebSocketClient(server, "/talk/a")) {
            client.socket()
                    .sendBinary(ByteBuffer.wrap(new byte[] {0, 1, (byte) 255}), true)
                    .get();
            client.assertHears("bytes \u0000\u0001\u00ff");
        }
    }

    @Test
    void aPingBetweenTheFragmentsOfAMessageIsAnsweredAndTheFragmentsAreJoinedIntoOneMessage() throws Exception {
        try (RecordingWebSocketClient client = new RecordingWebSocketClient(server, "/talk/a")) {
            client.socket().sendText("one ", false).get();
            client.socket()
                    .sendPing(ByteBuffer.wrap("still there?".getBytes(StandardCharsets.US_ASCII)))
                    .get();
            client.socket().sendText("two ", false).get();
            client.socket().sendText("three", true).get();
            client.assertHears("pong still there?");
            client.assertHears("a: one two three");
        }
    }

    @Test
    void aLargeMessageIsReturnedCompletely() throws Exception {
        String large = "0123456789".repeat(6_000);
        try (RecordingWebSocketClient client = new RecordingWebSocketClient(server, "/talk/a")) {
            client.say(large);
            client.assertHears("a: " + large);
        }
    }

    // ---- handshake

    @Test
    void theConnectionUsesASubprotocolThatBothSidesSupport() throws Exception {
        try (RecordingWebSocketClient client = new RecordingWebSocketClient(server, "/talk/a", "talk.v1", "talk.v2")) {
            assertTrue(
                    client.socket().getSubprotocol().startsWith("talk.v"),
                    client.socket().getSubprotocol());
        }
        try (RecordingWebSocketClient client = new RecordingWebSocketClient(server, "/talk/a")) {
            assertEquals("", client.socket().getSubprotocol());
        }
    }

    @Test
    void aHandshakeForAnUnknownPathFailsAndAServletInTheSameApplicationIsServed() throws Exception {
        HttpClient http = HttpClient.newHttpClient();
        URI hello = URI.create("http://127.0.0.1:" + server.port() + "/hello");
        assertEquals(
                "hello",
                http.send(HttpRequest.newBuilder(hello).build(), HttpResponse.BodyHandlers.ofString())
                        .body());
        CompletionException refused = assertThrows(CompletionException.class, () -> http.newWebSocketBuilder()
                .buildAsync(URI.create("ws://127.0.0.1:" + server.port() + "/nobody"), new WebSocket.Listener() {})
                .join());
        WebSocketHandshakeException why = assertInstanceOf(WebSocketHandshakeException.class, refused.getCause());
        assertEquals(404, why.getResponse().statusCode());
    }

    @Test
    void anEndpointThatIsConfiguredInCodeReturnsAMessage() throws Exception {
        ServerEndpointConfig config = ServerEndpointConfig.Builder.create(InCodeEndpoint.class, "/code")
                .build();
        try (Penstock other = builder()
                        .context("/app", context -> context.initializer(WebSockets.endpoints(config)))
                        .start();
                RecordingWebSocketClient client = new RecordingWebSocketClient(other, "/app/code")) {
            client.say("x");
            client.assertHears("in code: x");
        }
    }

    // ---- close

    @Test
    void theEndpointReceivesTheCloseCodeOfTheClientAndReturnsTheSameCode() throws Exception {
        try (RecordingWebSocketClient client = new RecordingWebSocketClient(server, "/talk/a")) {
            client.socket().sendClose(4321, "bye").get();
            client.assertHears("close 4321");
            assertEndpointReports("close 4321");
        }
    }

    /** RFC 6455 section 7.4, and the registry of section 11.7. A proxy passes on the codes 1012 and 1013 of the server behind it. */
    @ParameterizedTest
    @ValueSource(ints = {1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 3000, 4999})
    void eachCodeThatAClientMaySendIsReturnedWithItsReasonAndGivenToTheEndpoint(int code) throws Exception {
        for (String reason : List.of("", "caf\u00e9")) {
            byte[] text = reason.getBytes(StandardCharsets.UTF_8);
            byte[] payload = ByteBuffer.allocate(2 + text.length)
                    .putShort((short) code)
                    .put(text)
                    .array();
            byte[] mask = {1, 2, 3, 4};
            ByteBuffer frame = ByteBuffer.allocate(6 + payload.length)
                    .put((byte) 0x88)
                    .put((byte) (0x80 | payload.length))
                    .put(mask);
            for (int i = 0; i < payload.length; i++) {
                frame.put((byte) (payload[i] ^ mask[i % mask.length]));
            }
            try (Socket client = RawHandshake.connect(server, "/talk/a")) {
                client.getOutputStream().write(frame.array());
                DataInputStream in = new DataInputStream(client.getInputStream());
                assertEquals(0x88, in.readUnsignedByte(), "a close frame");
                byte[] returned = new byte[in.readUnsignedByte()];
                in.readFully(returned);
                assertArrayEquals(payload, returned);
                assertEquals(-1, in.read());
                assertEndpointReports("close " + code);
            }
        }
    }

    @Test
    void theClientReceivesTheCloseCodeOfTheEndpoint() throws Exception {
        try (RecordingWebSocketClient client = new RecordingWebSocketClient(server, "/talk/a")) {
            client.say("close 4001");
            client.assertHears("close 4001");
            assertEndpointReports("close 4001");
        }
    }

    @Test
    void anAbortByTheClientClosesTheSessionWithCode1006() throws Exception {
        try (RecordingWebSocketClient client = new RecordingWebSocketClient(server, "/talk/a")) {
            client.say("x");
            client.assertHears("a: x");
            client.socket().abort();
            // The server detects the end of the stream, or a reset of the connection. Both cause the same code.
            assertEndpointReports("close 1006");
        }
    }

    @Test
    void theSessionIsClosedWithCode1006WhenTheClientShutsDownItsOutput() throws Exception {
        try (Socket client = RawHandshake.connect(server, "/talk/a")) {
            client.shutdownOutput();
            assertEndpointReports("close 1006");
            client.getInputStream().readAllBytes();
        }
    }

    @Test
    void theStopOfTheServerClosesWebSocketsWithCode1001() throws Exception {
        try (RecordingWebSocketClient client = new RecordingWebSocketClient(server, "/talk/a")) {
            client.say("x");
            client.assertHears("a: x");
            server.close();
            client.assertHears("close 1001");
            assertEndpointReports("close 1001");
        }
    }

    @Test
    void theReplacementOfTheApplicationClosesWebSocketsWithCode1001() throws Exception {
        try (RecordingWebSocketClient client = new RecordingWebSocketClient(server, "/talk/a")) {
            client.say("x");
            client.assertHears("a: x");
            server.deploy("/", context -> context.servlet("hello", new HelloServlet(), "/hello"));
            client.assertHears("close 1001");
            assertEndpointReports("close 1001");
        }
    }

    /** After the close handshake, the client aborts its connection, and the server stops. The endpoint must not be notified again. */
    @Test
    void theEndpointIsNotifiedOfACloseOnlyOnce() throws Exception {
        try (RecordingWebSocketClient client = new RecordingWebSocketClient(server, "/talk/a")) {
            client.socket().sendClose(1000, "done").get();
            client.assertHears("close 1000");
            assertEndpointReports("close 1000");
            client.socket().abort();
            server.close();
            assertTrue(TalkEndpoint.ENDS.isEmpty(), TalkEndpoint.ENDS.toString());
        }
    }

    // ---- limits of messages

    @Test
    void closeCode1009IsSentIfAMessageExceedsTheLimitOfTheEndpoint() throws Exception {
        try (RecordingWebSocketClient client = new RecordingWebSocketClient(server, "/bounded")) {
            client.say("0123456789");
            client.assertHears("heard 10");
            client.say("0123456789x");
            client.assertHears("close 1009");
        }
    }

    @Test
    void closeCode1009IsSentIfAMessageExceedsTheDefaultLimit() throws Exception {
        String part = "x".repeat(40_000);
        try (Penstock other = builder()
                        .context("/", context -> context.initializer(WebSockets.endpoints(TalkEndpoint.class)))
                        .start();
                RecordingWebSocketClient client = new RecordingWebSocketClient(other, "/talk/a")) {
            client.socket().sendText(part, false).get();
            client.socket().sendText(part, true).get();
            client.assertHears("close 1009");
        }
    }

    @Test
    void anEndpointCanAcceptMessagesThatExceedTheDefaultLimit() throws Exception {
        try (RecordingWebSocketClient client = new RecordingWebSocketClient(server, "/roomy")) {
            client.say("x".repeat(400_000));
            client.assertHears("heard 400000");
        }
    }

    @Test
    void anApplicationCanSetTheDefaultLimitForTheSizeOfMessages() throws Exception {
        try (Penstock other = builder()
                        .context("/", context -> context.initParam(MessageBounds.MAX_MESSAGE, "200000")
                                .initializer(WebSockets.endpoints(TalkEndpoint.class)))
                        .start();
                RecordingWebSocketClient client = new RecordingWebSocketClient(other, "/talk/a")) {
            client.say("x".repeat(150_000));
            client.assertHears("a: " + "x".repeat(150_000));
        }
        StartException bad = assertThrows(StartException.class, () -> builder()
                .context("/", context -> context.initParam(MessageBounds.MAX_MESSAGE, "much")
                        .initializer(WebSockets.endpoints(TalkEndpoint.class)))
                .start());
        assertTrue(bad.getMessage().contains("penstock.websocket.max-message"), bad.getMessage());
    }
}

package io.penstock.websocket;

import static io.penstock.testing.Patience.PATIENCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.Penstock;
import jakarta.websocket.ClientEndpoint;
import jakarta.websocket.ClientEndpointConfig;
import jakarta.websocket.CloseReason;
import jakarta.websocket.CloseReason.CloseCodes;
import jakarta.websocket.ContainerProvider;
import jakarta.websocket.DecodeException;
import jakarta.websocket.Decoder;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.EncodeException;
import jakarta.websocket.Encoder;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.Extension;
import jakarta.websocket.HandshakeResponse;
import jakarta.websocket.MessageHandler;
import jakarta.websocket.OnClose;
import jakarta.websocket.OnError;
import jakarta.websocket.OnMessage;
import jakarta.websocket.OnOpen;
import jakarta.websocket.Session;
import jakarta.websocket.WebSocketContainer;
import jakarta.websocket.server.HandshakeRequest;
import jakarta.websocket.server.PathParam;
import jakarta.websocket.server.ServerEndpoint;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Reader;
import java.io.Writer;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests sessions of servers and of clients (WebSocket 2.2 chapter 2), with the client of this module. */
class SessionTest {
    private static final BlockingQueue<String> EVENTS = new LinkedBlockingQueue<>();

    private final WebSocketContainer container = ContainerProvider.getWebSocketContainer();
    private Penstock server;

    /** A point in the form {@code x,y}, in text and in bytes. */
    public record Point(int x, int y) {}

    /** Records when an instance comes into service, and when it goes. */
    public static final class PointCoder
            implements Encoder.Text<Point>, Decoder.TextStream<Point>, Decoder.Binary<Point> {
        @Override
        public void init(EndpointConfig config) {
            EVENTS.add("init");
        }

        @Override
        public void destroy() {
            EVENTS.add("destroy");
        }

        @Override
        public String encode(Point point) throws EncodeException {
            if (point.x < 0) {
                throw new EncodeException(point, "negative");
            }
            return point.x + "," + point.y;
        }

        @Override
        public Point decode(Reader text) throws DecodeException, IOException {
            char[] characters = new char[100];
            return point(new String(characters, 0, text.read(characters)));
        }

        @Override
        public Point decode(ByteBuffer bytes) throws DecodeException {
            return point(StandardCharsets.US_ASCII.decode(bytes).toString());
        }

        @Override
        public boolean willDecode(ByteBuffer bytes) {
            return bytes.get() != '!';
        }

        private static Point point(String text) throws DecodeException {
            String[] parts = text.split(",");
            if (parts.length != 2) {
                throw new DecodeException(text, "not a point");
            }
            return new Point(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
        }
    }

    @ServerEndpoint(value = "/mirror", encoders = PointCoder.class, decoders = PointCoder.class)
    public static class MirrorEndpoint {
        @OnMessage
        public Point mirror(Point point) {
            return new Point(point.y, point.x);
        }

        @OnError
        public void failed(Throwable failure, Session session) throws IOException {
            session.getBasicRemote().sendText(failure.getClass().getSimpleName());
        }
    }

    public static class ParametersConfigurator extends ServerEndpointConfig.Configurator {
        @Override
        public void modifyHandshake(ServerEndpointConfig config, HandshakeRequest request, HandshakeResponse response) {
            config.getUserProperties()
                    .put("parameters", request.getParameterMap().toString());
            response.getHeaders().put("Set-Cookie", List.of("a=1", "b=2"));
        }
    }

    @ServerEndpoint(value = "/braces/{room}", configurator = ParametersConfigurator.class)
    public static class BracesEndpoint {
        @OnOpen
        public void open(Session session) throws IOException {
            session.getBasicRemote()
                    .sendText(String.valueOf(session.getUserProperties().get("parameters")));
        }

        @OnMessage
        public String room(String text, @PathParam("{room}") String room) {
            return text + room;
        }
    }

    @ServerEndpoint("/double/{factor}")
    public static class DoubleEndpoint {
        @OnMessage
        public double multiply(double number, @PathParam("factor") int factor) {
            return number * factor;
        }

        @OnMessage
        public void bytes(InputStream bytes, Session session) throws IOException {
            try (OutputStream out = session.getBasicRemote().getSendStream()) {
                bytes.transferTo(out);
            }
        }

        @OnError
        public void failed(Throwable failure, Session session) throws IOException {
            session.getBasicRemote().sendText(failure.getClass().getSimpleName());
        }

        @OnClose
        public void closed(CloseReason reason) {
            EVENTS.add("server close " + reason.getCloseCode().getCode());
        }
    }

    /** Sends each text back by a writer, in parts as they arrive. */
    @ServerEndpoint("/parts")
    public static class PartsEndpoint {
        private Writer writer;

        @OnMessage
        public void part(String part, boolean last, Session session) throws IOException {
            if (writer == null) {
                writer = session.getBasicRemote().getSendWriter();
            }
            writer.write(part);
            if (last) {
                writer.close();
                writer = null;
            }
        }
    }

    /** Puts a property into the session, and a field into the answer. */
    public static final class PropertyConfigurator extends ServerEndpointConfig.Configurator {
        @Override
        public void modifyHandshake(ServerEndpointConfig config, HandshakeRequest request, HandshakeResponse response) {
            config.getUserProperties()
                    .put("agent", request.getHeaders().get("x-agent").get(0));
            response.getHeaders().put("X-Answer", List.of("yes"));
        }
    }

    /** Sends the properties that the session has got, and closes. */
    public static final class PropertyEndpoint extends Endpoint {
        @Override
        public void onOpen(Session session, EndpointConfig config) {
            String known = "" + session.getUserProperties().get("agent")
                    + session.getUserProperties().get("shared");
            session.getUserProperties().put("shared", "changed");
            session.getAsyncRemote().sendText(known, result -> {
                try {
                    session.close(new CloseReason(CloseCodes.getCloseCode(4001), "that was all"));
                } catch (IOException e) {
                    EVENTS.add(e.toString());
                }
            });
        }
    }

    /** Puts what happens to it into {@link #EVENTS}. */
    @ClientEndpoint(subprotocols = {"v2", "v1"})
    public static class RecordingClient {
        @OnOpen
        public void open(Session session) {
            session.setMaxTextMessageBufferSize(1_000_000);
            session.setMaxBinaryMessageBufferSize(1_000_000);
        }

        @OnMessage
        public void text(String text) {
            EVENTS.add(text.length() < 100 ? text : "text of " + text.length());
        }

        @OnMessage
        public void bytes(byte[] bytes) {
            EVENTS.add("bytes " + bytes.length);
        }

        @OnClose
        public void close(CloseReason reason) {
            EVENTS.add("close " + reason.getCloseCode().getCode());
        }
    }

    private static final class ProgrammaticClient extends Endpoint {
        @Override
        public void onOpen(Session session, EndpointConfig config) {
            session.addMessageHandler(new MessageHandler.Whole<String>() {
                @Override
                public void onMessage(String text) {
                    EVENTS.add(text);
                }
            });
        }

        @Override
        public void onClose(Session session, CloseReason reason) {
            EVENTS.add("close " + reason.getCloseCode().getCode() + " " + reason.getReasonPhrase());
        }
    }

    private static final class SilentClient extends Endpoint {
        @Override
        public void onOpen(Session session, EndpointConfig config) {}
    }

    /** Closes its session as soon as it is open. */
    @ServerEndpoint("/short")
    public static class ShortEndpoint {
        @OnOpen
        public void open(Session session) throws IOException {
            session.close();
            EVENTS.add("open returns");
        }

        @OnClose
        public void close() {
            EVENTS.add("close");
        }
    }

    private static final class ShortClient extends Endpoint {
        private final ShortEndpoint both = new ShortEndpoint();

        @Override
        public void onOpen(Session session, EndpointConfig config) {
            try {
                both.open(session);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void onClose(Session session, CloseReason reason) {
            both.close();
        }
    }

    /** Records whether a session is in the set of open ones, and how many there are. */
    @ServerEndpoint("/listed")
    public static class ListedEndpoint {
        @OnOpen
        public void open(Session session) {
            record("open", session);
        }

        @OnClose
        public void close(Session session) {
            record("close", session);
        }

        private static void record(String what, Session session) {
            Set<Session> open = session.getOpenSessions();
            EVENTS.add(what + " " + open.contains(session) + " " + open.size());
        }
    }

    @BeforeEach
    void start() throws Exception {
        EVENTS.clear();
        ServerEndpointConfig properties = ServerEndpointConfig.Builder.create(PropertyEndpoint.class, "/properties")
                .configurator(new PropertyConfigurator())
                .build();
        properties.getUserProperties().put("shared", "first");
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .context("/app", context -> context.initializer(WebSockets.endpoints(
                                MirrorEndpoint.class,
                                BracesEndpoint.class,
                                DoubleEndpoint.class,
                                PartsEndpoint.class,
                                ShortEndpoint.class,
                                ListedEndpoint.class,
                                TalkEndpoint.class))
                        .initializer(WebSockets.endpoints(properties)))
                .start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private URI uri(String path) {
        return URI.create("ws://127.0.0.1:" + server.port() + "/app" + path);
    }

    private static void assertNext(String... expected) throws InterruptedException {
        for (String next : expected) {
            assertEquals(next, EVENTS.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        }
    }

    /** For events of both ends, which come from different threads. */
    private static void assertNextInAnyOrder(String... expected) throws InterruptedException {
        List<String> events = new ArrayList<>();
        for (int i = 0; i < expected.length; i++) {
            events.add(String.valueOf(EVENTS.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS)));
        }
        events.sort(null);
        assertEquals(List.of(expected), events);
    }

    // ---- messages

    @Test
    void objectsAreEncodedAndDecodedByInstancesOfEachSession() throws Exception {
        try (Session session = container.connectToServer(RecordingClient.class, uri("/mirror"))) {
            session.getBasicRemote().sendText("1,2");
            assertNext("init", "init", "2,1"); // the encoder and the decoder
            session.getBasicRemote().sendBinary(ByteBuffer.wrap("3,4".getBytes(StandardCharsets.US_ASCII)));
            assertNext("4,3");
            session.getBasicRemote().sendText("x");
            assertNext("DecodeException");
            session.getBasicRemote().sendBinary(ByteBuffer.wrap("!".getBytes(StandardCharsets.US_ASCII)));
            assertNext("DecodeException");
            session.getBasicRemote().sendText("1,-2");
            assertNext("EncodeException");
        }
        assertNextInAnyOrder("close 1000", "destroy", "destroy");
    }

    @Test
    void theHandshakeHasTheParametersOfThePathWhoseNamesMayHaveBraces() throws Exception {
        try (Session session = container.connectToServer(RecordingClient.class, uri("/braces/7?day=1"))) {
            assertNext("{day=[1], room=[7]}");
            session.getBasicRemote().sendText("room ");
            assertNext("room 7");
        }
    }

    @Test
    void textsBecomePrimitiveValuesAndPathParametersToo() throws Exception {
        try (Session session = container.connectToServer(RecordingClient.class, uri("/double/3"))) {
            session.getBasicRemote().sendText("1.5");
            assertNext("4.5");
            session.getBasicRemote().sendObject(2);
            assertNext("6.0");
            session.getBasicRemote().sendText("much");
            assertNext("DecodeException");
        }
        assertNextInAnyOrder("close 1000", "server close 1000");
        try (Session session = container.connectToServer(RecordingClient.class, uri("/double/three"))) {
            session.getBasicRemote().sendText("1.5");
            assertNext("DecodeException");
        }
    }

    @Test
    void aStreamSendsOneMessageAndAnUnusedStreamSendsNone() throws Exception {
        try (Session session = container.connectToServer(RecordingClient.class, uri("/double/3"))) {
            session.getBasicRemote().getSendStream().close();
            try (OutputStream out = session.getBasicRemote().getSendStream()) {
                for (int i = 0; i < 20_000; i++) {
                    out.write(i);
                }
                assertThrows(IllegalStateException.class, () -> session.getBasicRemote()
                        .sendText("between"));
            }
            assertNext("bytes 20000");
            try (OutputStream out = session.getBasicRemote().getSendStream()) {
                out.write(new byte[0]);
            }
            assertNext("bytes 0");
        }
    }

    @Test
    void textsInPartsKeepTheirSurrogates() throws Exception {
        String text = "\uD83D\uDE00".repeat(30_000);
        CompletableFuture<String> received = new CompletableFuture<>();
        ClientEndpointConfig config = ClientEndpointConfig.Builder.create().build();
        Endpoint client = new Endpoint() {
            @Override
            public void onOpen(Session session, EndpointConfig same) {
                StringBuilder parts = new StringBuilder();
                session.addMessageHandler(String.class, (MessageHandler.Partial<String>) (part, last) -> {
                    parts.append(part);
                    if (last) {
                        received.complete(parts.toString());
                    }
                });
            }
        };
        try (Session session = container.connectToServer(client, config, uri("/parts"))) {
            session.getBasicRemote().sendText(text.substring(0, 30_001), false);
            session.getBasicRemote().sendText("", false);
            session.getBasicRemote().sendText(text.substring(30_001), true);
            assertEquals(text, received.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        }
    }

    @Test
    void asynchronousSendsReportTheirResults() throws Exception {
        Session session = container.connectToServer(RecordingClient.class, uri("/double/3"));
        ByteBuffer bytes = ByteBuffer.allocate(10);
        session.getAsyncRemote().sendBinary(bytes).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertFalse(bytes.hasRemaining());
        assertNext("bytes 10");
        session.getAsyncRemote().sendText("1", result -> EVENTS.add("sent " + result.isOK()));
        List<String> both = List.of(
                EVENTS.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS),
                EVENTS.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        assertTrue(both.contains("3.0") && both.contains("sent true"), both.toString());
        ExecutionException refused = assertThrows(
                ExecutionException.class,
                () -> session.getAsyncRemote().sendObject(new Point(1, 2)).get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        assertInstanceOf(EncodeException.class, refused.getCause());
        assertThrows(
                IllegalArgumentException.class, () -> session.getAsyncRemote().sendText(null));
        assertThrows(
                IllegalArgumentException.class, () -> session.getBasicRemote().sendPing(ByteBuffer.allocate(126)));
        session.close();
    }

    @Test
    void aSessionHasOneHandlerForEachKindOfMessages() throws Exception {
        ClientEndpointConfig config = ClientEndpointConfig.Builder.create().build();
        try (Session session = container.connectToServer(new ProgrammaticClient(), config, uri("/double/3"))) {
            MessageHandler.Whole<Reader> second = reader -> {};
            assertThrows(IllegalStateException.class, () -> session.addMessageHandler(Reader.class, second));
            assertThrows(IllegalStateException.class, () -> session.addMessageHandler(second));
            assertEquals(1, session.getMessageHandlers().size());
            session.removeMessageHandler(session.getMessageHandlers().iterator().next());
            session.addMessageHandler(Integer.class, number -> EVENTS.add("number " + number));
            session.getBasicRemote().sendText("much");
            session.getBasicRemote().sendText("1");
        }
    }

    // ---- the life of a session

    @Test
    void eachSessionHasItsOwnCopyOfTheUserProperties() throws Exception {
        CompletableFuture<String> answer = new CompletableFuture<>();
        ClientEndpointConfig config = ClientEndpointConfig.Builder.create()
                .configurator(new ClientEndpointConfig.Configurator() {
                    @Override
                    public void beforeRequest(Map<String, List<String>> headers) {
                        headers.put("X-Agent", List.of("007"));
                    }

                    @Override
                    public void afterResponse(HandshakeResponse response) {
                        answer.complete(response.getHeaders().get("x-answer").get(0));
                    }
                })
                .build();
        for (int i = 0; i < 2; i++) {
            container.connectToServer(new ProgrammaticClient(), config, uri("/properties"));
            assertNext("007first", "close 4001 that was all");
        }
        assertEquals("yes", answer.get());
    }

    @Test
    void aClosedSessionThrowsExceptForCloseAndIsOpen() throws Exception {
        Session session = container.connectToServer(RecordingClient.class, uri("/double/3"));
        assertTrue(session.isOpen());
        assertEquals(1, session.getOpenSessions().size());
        session.close(new CloseReason(CloseCodes.GOING_AWAY, "bye"));
        assertFalse(session.isOpen());
        assertNextInAnyOrder("close 1001", "server close 1001");
        session.close();
        assertThrows(IllegalStateException.class, session::getBasicRemote);
        assertThrows(IllegalStateException.class, session::getRequestURI);
    }

    /** WebSocket 2.2 section 5.1. */
    @Test
    void anEndpointThatClosesInOnOpenIsToldOfTheCloseAfterOnOpen() throws Exception {
        ClientEndpointConfig config = ClientEndpointConfig.Builder.create().build();
        container.connectToServer(new SilentClient(), config, uri("/short"));
        assertNext("open returns", "close");
        container.connectToServer(new ShortClient(), config, uri("/parts"));
        assertNext("open returns", "close");
    }

    @Test
    void aSessionIsAmongTheOpenOnesFromItsOnOpenToItsOnClose() throws Exception {
        ClientEndpointConfig config = ClientEndpointConfig.Builder.create().build();
        Session first = container.connectToServer(new SilentClient(), config, uri("/listed"));
        assertNext("open true 1");
        Session second = container.connectToServer(new SilentClient(), config, uri("/listed"));
        assertNext("open true 2");
        second.close();
        assertNext("close false 1");
        first.close();
        assertNext("close false 0");
    }

    @Test
    void theEndOfTheServerClosesAClientWithCode1001() throws Exception {
        container.connectToServer(RecordingClient.class, uri("/parts"));
        server.close();
        assertNext("close 1001");
    }

    // ---- handshakes

    @Test
    void theAnswerHasALineForEachCookie() throws Exception {
        CompletableFuture<List<String>> cookies = new CompletableFuture<>();
        ClientEndpointConfig config = ClientEndpointConfig.Builder.create()
                .configurator(new ClientEndpointConfig.Configurator() {
                    @Override
                    public void afterResponse(HandshakeResponse response) {
                        cookies.complete(response.getHeaders().get("set-cookie"));
                    }
                })
                .build();
        container.connectToServer(new SilentClient(), config, uri("/braces/7")).close();
        assertEquals(List.of("a=1", "b=2"), cookies.get());
    }

    @Test
    void aSubprotocolIsChosenInTheOrderOfTheClient() throws Exception {
        ClientEndpointConfig config = ClientEndpointConfig.Builder.create()
                .preferredSubprotocols(List.of("other", "talk.v1", "talk.v2"))
                .build();
        try (Session session = container.connectToServer(new ProgrammaticClient(), config, uri("/talk/a?b=c%26d&b="))) {
            assertEquals("talk.v1", session.getNegotiatedSubprotocol());
            assertEquals(Map.of("b", List.of("c&d", "")), session.getRequestParameterMap());
            assertEquals(uri("/talk/a?b=c%26d&b="), session.getRequestURI());
        }
    }

    @Test
    void messagesAreCompressedIfTheClientOffersIt() throws Exception {
        ClientEndpointConfig config = ClientEndpointConfig.Builder.create()
                .extensions(List.copyOf(container.getInstalledExtensions()))
                .build();
        try (Session session = container.connectToServer(new ProgrammaticClient(), config, uri("/talk/a"))) {
            assertEquals(
                    List.of("permessage-deflate"),
                    session.getNegotiatedExtensions().stream()
                            .map(Extension::getName)
                            .toList());
            String text = "0123456789".repeat(1000);
            session.getBasicRemote().sendText(text);
            assertNext("a: " + text);
        }
    }

    @Test
    void aRefusedHandshakeIsADeploymentExceptionAndAMissingServerAnIOException() throws Exception {
        DeploymentException refused = assertThrows(
                DeploymentException.class, () -> container.connectToServer(RecordingClient.class, uri("/nobody")));
        assertTrue(refused.getMessage().contains("404"), refused.getMessage());
        int free;
        try (ServerSocket socket = new ServerSocket(0)) {
            free = socket.getLocalPort();
        }
        assertThrows(
                IOException.class,
                () -> container.connectToServer(RecordingClient.class, URI.create("ws://127.0.0.1:" + free + "/")));
        assertThrows(
                DeploymentException.class,
                () -> container.connectToServer(RecordingClient.class, URI.create("http://127.0.0.1/")));
        assertThrows(DeploymentException.class, () -> container.connectToServer(String.class, uri("/parts")));
    }
}

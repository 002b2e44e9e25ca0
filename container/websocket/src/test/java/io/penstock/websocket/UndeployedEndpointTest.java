package io.penstock.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.Penstock;
import io.penstock.realm.Realm;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.HandshakeResponse;
import jakarta.websocket.MessageHandler;
import jakarta.websocket.OnMessage;
import jakarta.websocket.Session;
import jakarta.websocket.server.HandshakeRequest;
import jakarta.websocket.server.PathParam;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpoint;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests {@code ServerContainer.upgradeHttpToWebSocket} (Jakarta WebSocket 2.2). With this method, a servlet passes a handshake to an
 * endpoint that is not deployed.
 */
class UndeployedEndpointTest {
    private static final Realm USERS =
            (name, password) -> password.equals("secret") ? new Realm.User(name, Set.of("member")) : null;

    private final UpgradingServlet upgradingServlet = new UpgradingServlet();
    private Penstock server;

    /** An endpoint that reports properties of its session and its configuration. */
    public static final class ReportingEndpoint extends Endpoint {
        @Override
        public void onOpen(Session session, EndpointConfig config) {
            session.addMessageHandler(String.class, (MessageHandler.Whole<String>) text -> session.getAsyncRemote()
                    .sendText(
                            switch (text) {
                                case "uri" -> session.getRequestURI().toString();
                                case "path" -> session.getPathParameters().toString();
                                case "config" ->
                                    ((ServerEndpointConfig) config).getPath() + " "
                                            + config.getUserProperties().get("seen");
                                case "open" ->
                                    Integer.toString(session.getOpenSessions().size());
                                default -> session.getNegotiatedSubprotocol() + ": " + text;
                            }));
        }
    }

    /** An annotated endpoint. The path in the annotation differs from the path of the requests. */
    @ServerEndpoint("/of/{room}/annotation")
    public static final class AnnotatedEndpoint {
        @OnMessage
        public String answer(String text, @PathParam("room") String room) {
            return room + ": " + text;
        }
    }

    /** A configurator that refuses one origin, and adds a header field to the response. */
    public static final class OriginCheckingConfigurator extends ServerEndpointConfig.Configurator {
        @Override
        public boolean checkOrigin(String origin) {
            return !"https://evil.example".equals(origin);
        }

        @Override
        public void modifyHandshake(ServerEndpointConfig config, HandshakeRequest request, HandshakeResponse response) {
            config.getUserProperties().put("seen", "yes");
            response.getHeaders().put("X-Chosen", List.of("yes"));
        }
    }

    /** A servlet that passes each handshake to an endpoint. The path of the request selects the endpoint. */
    private static final class UpgradingServlet extends HttpServlet {
        private static final long serialVersionUID = 1L;

        private final transient Map<String, ServerEndpointConfig> endpoints = Map.of(
                "/telling",
                        ServerEndpointConfig.Builder.create(ReportingEndpoint.class, "/anything")
                                .configurator(new OriginCheckingConfigurator())
                                .subprotocols(List.of("v2.talk", "v1.talk"))
                                .build(),
                "/annotated",
                        ServerEndpointConfig.Builder.create(AnnotatedEndpoint.class, "/else")
                                .build(),
                "/deployed",
                        ServerEndpointConfig.Builder.create(TalkEndpoint.class, "/talk/{room}")
                                .build(),
                "/none",
                        ServerEndpointConfig.Builder.create(String.class, "/none")
                                .build());

        private final transient BlockingQueue<Exception> failures = new LinkedBlockingQueue<>();

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if ("end".equals(request.getQueryString())) {
                request.getSession().invalidate();
                return;
            }
            if (request.getUserPrincipal() != null) {
                request.getSession();
            }
            ServerContainer container =
                    (ServerContainer) getServletContext().getAttribute(ServerContainer.class.getName());
            try {
                container.upgradeHttpToWebSocket(
                        request, response, endpoints.get(request.getPathInfo()), Map.of("room", "kitchen"));
            } catch (IllegalStateException | DeploymentException e) {
                failures.add(e);
            }
        }
    }

    @BeforeEach
    void start() throws Exception {
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .realm(USERS)
                .context("/app", context -> context.servlet("upgradingServlet", upgradingServlet, "/to/*", "/members/*")
                        .constrain("/members/*", "member")
                        .basicLogin("site")
                        .initializer(WebSockets.endpoints(TalkEndpoint.class)))
                .start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Exception failure() throws InterruptedException {
        return upgradingServlet.failures.poll(60, TimeUnit.SECONDS);
    }

    private HttpResponse<String> refusal(String path, String... headers) {
        WebSocket.Builder builder = HttpClient.newHttpClient().newWebSocketBuilder();
        for (int i = 0; i < headers.length; i += 2) {
            builder.header(headers[i], headers[i + 1]);
        }
        CompletionException refused = assertThrows(CompletionException.class, () -> builder.buildAsync(
                        URI.create("ws://127.0.0.1:" + server.port() + path), new WebSocket.Listener() {})
                .join());
        @SuppressWarnings("unchecked")
        HttpResponse<String> answer =
                (HttpResponse<String>) assertInstanceOf(WebSocketHandshakeException.class, refused.getCause())
                        .getResponse();
        return answer;
    }

    @Test
    void anUndeployedEndpointReceivesItsConfigurationAndMessages() throws Exception {
        try (RecordingWebSocketClient client = new RecordingWebSocketClient(server, "/app/to/telling?q=1", "v1.talk")) {
            assertEquals("v1.talk", client.socket().getSubprotocol());
            client.say("x");
            client.assertHears("v1.talk: x");
            client.say("uri");
            client.assertHears("ws://127.0.0.1:" + server.port() + "/app/to/telling?q=1");
            client.say("path");
            client.assertHears("{room=kitchen}");
            client.say("config");
            client.assertHears("/anything yes");
            client.say("y".repeat(60_000));
            client.assertHears("v1.talk: " + "y".repeat(60_000));
            client.say("z".repeat(70_000));
            client.assertHears("close 1009");
        }
        assertNull(upgradingServlet.failures.peek());
    }

    @Test
    void anAnnotatedEndpointIsReachedAtThePathOfTheServletInsteadOfThePathInTheAnnotation() throws Exception {
        try (RecordingWebSocketClient client = new RecordingWebSocketClient(server, "/app/to/annotated")) {
            client.say("x");
            client.assertHears("kitchen: x");
        }
    }

    @Test
    void aDeployedEndpointIsReachedDirectlyAndThroughTheServlet() throws Exception {
        try (RecordingWebSocketClient clientOfServlet = new RecordingWebSocketClient(server, "/app/to/deployed");
                RecordingWebSocketClient directClient = new RecordingWebSocketClient(server, "/app/talk/hall")) {
            clientOfServlet.say("x");
            clientOfServlet.assertHears("kitchen: x");
            directClient.say("x");
            directClient.assertHears("hall: x");
        }
        assertNull(upgradingServlet.failures.peek());
    }

    @Test
    void getOpenSessionsReturnsAllSessionsOfTheSameEndpointConfig() throws Exception {
        try (RecordingWebSocketClient one = new RecordingWebSocketClient(server, "/app/to/telling");
                RecordingWebSocketClient other = new RecordingWebSocketClient(server, "/app/to/telling")) {
            // The server opens the session after the handshake. An answer proves that the session is open.
            one.say("path");
            one.assertHears("{room=kitchen}");
            other.say("open");
            other.assertHears("2");
            one.say("open");
            one.assertHears("2");
        }
    }

    @Test
    void aCloseCodeIsSentBackToTheClientAndAnUndeploymentSendsCloseCode1001() throws Exception {
        try (RecordingWebSocketClient client = new RecordingWebSocketClient(server, "/app/to/telling")) {
            client.socket().sendClose(4321, "bye").get();
            client.assertHears("close 4321");
        }
        try (RecordingWebSocketClient client = new RecordingWebSocketClient(server, "/app/to/telling")) {
            client.say("open");
            client.assertHears("1");
            server.undeploy("/app");
            client.assertHears("close 1001");
        }
    }

    @Test
    void aHandshakeFromARefusedOriginGetsStatus403AndCausesADeploymentException() throws Exception {
        assertEquals(
                403,
                refusal("/app/to/telling", "Origin", "https://evil.example").statusCode());
        assertEquals(
                "The WebSocket handshake is refused with status 403",
                assertInstanceOf(DeploymentException.class, failure()).getMessage());
    }

    @Test
    void aClassThatIsNotAnEndpointCausesADeploymentException() throws Exception {
        refusal("/app/to/none");
        assertInstanceOf(DeploymentException.class, failure());
    }

    @Test
    void aRequestThatIsNotAHandshakeCausesAnIllegalStateException() throws Exception {
        URI plain = URI.create("http://127.0.0.1:" + server.port() + "/app/to/telling");
        HttpClient.newHttpClient().send(HttpRequest.newBuilder(plain).build(), HttpResponse.BodyHandlers.discarding());
        String message =
                assertInstanceOf(IllegalStateException.class, failure()).getMessage();
        assertTrue(message.contains("Upgrade: websocket"), message);
        HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(plain)
                                .POST(HttpRequest.BodyPublishers.noBody())
                                .build(),
                        HttpResponse.BodyHandlers.discarding());
        assertInstanceOf(IllegalStateException.class, failure());
    }

    @Test
    void aWebSocketConnectionIsClosedWhenTheHttpSessionOfItsUserIsInvalidated() throws Exception {
        String login = "Basic " + Base64.getEncoder().encodeToString("ada:secret".getBytes(StandardCharsets.UTF_8));
        BlockingQueue<Integer> closes = new LinkedBlockingQueue<>();
        URI members = URI.create("http://127.0.0.1:" + server.port() + "/app/members/telling");
        HttpClient client =
                HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
        // The first request creates the HTTP session. The second request uses this session.
        for (int i = 0; i < 2; i++) {
            client.send(
                    HttpRequest.newBuilder(members)
                            .header("Authorization", login)
                            .build(),
                    HttpResponse.BodyHandlers.discarding());
            assertInstanceOf(IllegalStateException.class, failure());
        }
        client.newWebSocketBuilder()
                .header("Authorization", login)
                .buildAsync(URI.create(members.toString().replace("http:", "ws:")), new WebSocket.Listener() {
                    @Override
                    public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
                        closes.add(code);
                        return null;
                    }
                })
                .join();
        client.send(
                HttpRequest.newBuilder(URI.create(members + "?end"))
                        .header("Authorization", login)
                        .build(),
                HttpResponse.BodyHandlers.discarding());
        assertEquals(1008, closes.poll(60, TimeUnit.SECONDS));
    }
}

package io.penstock.websocket;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.Penstock;
import io.penstock.StartException;
import io.penstock.realm.Realm;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Tests the limits on the sessions of one endpoint, one address and one user, and that each session gives its place back. */
class WebSocketLimitsTest {
    private static final int READ_TIMEOUT_MILLIS = 60_000;
    private static final Realm USERS =
            (name, password) -> password.equals("secret") ? new Realm.User(name, Set.of("member")) : null;

    /** Asks for the upgrade, and returns only when the server knows that the client has gone. */
    private static final class SlowUpgrade extends HttpServlet {
        private static final long serialVersionUID = 1L;

        private final transient List<WeakReference<Object>> endpoints = new CopyOnWriteArrayList<>();
        private transient volatile Penstock server;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException {
            request.getSession();
            ServerContainer container =
                    (ServerContainer) getServletContext().getAttribute(ServerContainer.class.getName());
            ServerEndpointConfig config = ServerEndpointConfig.Builder.create(UserEndpoint.class, "/anything")
                    .configurator(new ServerEndpointConfig.Configurator() {
                        @Override
                        public <T> T getEndpointInstance(Class<T> type) throws InstantiationException {
                            T made = super.getEndpointInstance(type);
                            endpoints.add(new WeakReference<>(made));
                            return made;
                        }
                    })
                    .build();
            try {
                container.upgradeHttpToWebSocket(request, response, config, Map.of());
            } catch (DeploymentException e) {
                throw new ServletException(e);
            }
            if (request.getParameter("wait") != null) {
                await().until(() -> server.counters().get("clients-gone") > 0);
            }
        }
    }

    private final SlowUpgrade slow = new SlowUpgrade();

    private Penstock server(String limit) throws StartException {
        Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .set(limit, "1")
                .realm(USERS)
                .context("/", context -> context.initializer(
                                WebSockets.endpoints(TalkEndpoint.class, BoundedEndpoint.class, UserEndpoint.class))
                        .servlet("slow", slow, "/members/slow")
                        .constrain("/members/*", "member")
                        .basicLogin("site"))
                .start();
        slow.server = server;
        return server;
    }

    private static Socket handshake(Penstock server, String path, String user) throws IOException {
        Socket socket = new Socket("127.0.0.1", server.port());
        socket.setSoTimeout(READ_TIMEOUT_MILLIS);
        String login = Base64.getEncoder().encodeToString((user + ":secret").getBytes(StandardCharsets.UTF_8));
        String request = "GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                + "Authorization: Basic " + login + "\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static int status(Socket socket) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int c = socket.getInputStream().read();
            assertTrue(c >= 0, head::toString);
            head.append((char) c);
        }
        return Integer.parseInt(head.substring("HTTP/1.1 ".length(), "HTTP/1.1 101".length()));
    }

    private static int statusOf(Penstock server, String path, String user) throws IOException {
        try (Socket socket = handshake(server, path, user)) {
            return status(socket);
        }
    }

    @Test
    void aFurtherSessionOfAnEndpointIsAnswered503UntilAnotherHasEnded() throws Exception {
        try (Penstock server = server("max-websockets-endpoint")) {
            try (Socket first = handshake(server, "/talk/a", "ada")) {
                assertEquals(101, status(first));
                assertEquals(503, statusOf(server, "/talk/b", "bob"));
                assertEquals(101, statusOf(server, "/bounded", "bob"));
                assertEquals(1, server.counters().get("websockets-of-endpoint-refused"));
            }
            await().until(() -> statusOf(server, "/talk/c", "bob") == 101);
        }
    }

    @Test
    void aFurtherSessionOfAnAddressIsAnswered429() throws Exception {
        try (Penstock server = server("max-websockets-address");
                Socket first = handshake(server, "/talk/a", "ada")) {
            assertEquals(101, status(first));
            assertEquals(429, statusOf(server, "/bounded", "bob"));
            assertEquals(1, server.counters().get("websockets-of-address-refused"));
        }
    }

    @Test
    void aFurtherSessionOfAUserIsAnswered429ButNotOneOfAnother() throws Exception {
        try (Penstock server = server("max-websockets-user");
                Socket first = handshake(server, "/members/who", "ada")) {
            assertEquals(101, status(first));
            assertEquals(429, statusOf(server, "/members/slow", "ada"));
            assertEquals(101, statusOf(server, "/members/who", "bob"));
            assertEquals(1, server.counters().get("websockets-of-user-refused"));
        }
    }

    /** A session that never opens must not stay in a list: that of the server, or that of its user, which lives as long as the login. */
    @Test
    void aSessionWhoseClientGoesBeforeTheUpgradeLeavesNothingBehind() throws Exception {
        try (Penstock server = server("max-websockets-user")) {
            try (Socket gone = handshake(server, "/members/slow?wait=1", "ada")) {
                assertEquals(101, status(gone));
                gone.setSoLinger(true, 0); // a reset
            }
            await().until(() -> statusOf(server, "/members/who", "ada") == 101);
            assertEquals(1, slow.endpoints.size());
            await().pollInterval(Duration.ofMillis(100)).until(() -> {
                System.gc();
                return slow.endpoints.get(0).get() == null;
            });
            assertEquals(1, server.gauges().get("sessions"));
        }
    }

    @Test
    void aHandshakeThatTheApplicationFailsGivesItsPlaceBack() throws Exception {
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .set("max-websockets-endpoint", "1")
                .context(
                        "/",
                        context -> context.initializer(WebSockets.endpoints(ServerEndpointConfig.Builder.create(
                                        UserEndpoint.class, "/fails")
                                .configurator(new ServerEndpointConfig.Configurator() {
                                    @Override
                                    public <T> T getEndpointInstance(Class<T> type) throws InstantiationException {
                                        throw new InstantiationException("as the test wants");
                                    }
                                })
                                .build())))
                .start()) {
            assertEquals(500, statusOf(server, "/fails", "ada"));
            assertEquals(500, statusOf(server, "/fails", "ada"));
            assertEquals(0, server.counters().get("websockets-of-endpoint-refused"));
        }
    }
}

package io.penstock.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.penstock.Penstock;
import io.penstock.realm.Realm;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.websocket.DeploymentException;
import jakarta.websocket.server.ServerContainer;
import jakarta.websocket.server.ServerEndpointConfig;
import java.io.IOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** WebSocket 2.2 section 7.2: when a user logs out, the connections of this user are closed with the code 1008. */
class LogoutTest {
    private static final Realm USERS =
            (name, password) -> password.equals("secret") ? new Realm.User(name, Set.of("member")) : null;
    private static final String DEPLOYED = "/members/who";
    private static final String PROGRAMMATIC = "/members/do/upgrade";

    private Penstock server;

    /** Does with the request what its path says. */
    private static final class DoingServlet extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException {
            switch (request.getPathInfo()) {
                case "/begin" -> request.getSession();
                case "/renew" -> request.changeSessionId();
                case "/logout" -> request.logout();
                case "/invalidate" -> request.getSession().invalidate();
                case "/expire" -> request.getSession().setMaxInactiveInterval(1);
                default -> upgrade(request, response);
            }
        }

        private void upgrade(HttpServletRequest request, HttpServletResponse response)
                throws IOException, ServletException {
            ServerContainer container =
                    (ServerContainer) getServletContext().getAttribute(ServerContainer.class.getName());
            try {
                container.upgradeHttpToWebSocket(
                        request,
                        response,
                        ServerEndpointConfig.Builder.create(UserEndpoint.class, "/anything")
                                .build(),
                        Map.of());
            } catch (DeploymentException e) {
                throw new ServletException(e);
            }
        }
    }

    /** A browser of a user, with its cookies. */
    private final class Browser {
        private final HttpClient client =
                HttpClient.newBuilder().cookieHandler(new CookieManager()).build();
        private final String login;
        private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

        Browser(String user) throws Exception {
            login = "Basic " + Base64.getEncoder().encodeToString((user + ":secret").getBytes(StandardCharsets.UTF_8));
            visit("begin");
        }

        void visit(String what) throws Exception {
            URI uri = URI.create("http://127.0.0.1:" + server.port() + "/members/do/" + what);
            HttpRequest request =
                    HttpRequest.newBuilder(uri).header("Authorization", login).build();
            assertEquals(
                    200,
                    client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode());
        }

        /** Opens a connection, and uses it once. */
        WebSocket connect(String path) throws Exception {
            WebSocket socket = client.newWebSocketBuilder()
                    .header("Authorization", login)
                    .buildAsync(URI.create("ws://127.0.0.1:" + server.port() + path), new WebSocket.Listener() {
                        @Override
                        public CompletionStage<?> onText(WebSocket from, CharSequence text, boolean last) {
                            heard.add(text.toString());
                            from.request(1);
                            return null;
                        }

                        @Override
                        public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
                            heard.add("close " + code);
                            return null;
                        }
                    })
                    .get(60, TimeUnit.SECONDS);
            socket.sendText("?", true).get(60, TimeUnit.SECONDS);
            return socket;
        }

        void hears(String text) throws InterruptedException {
            assertEquals(text, heard.poll(60, TimeUnit.SECONDS));
        }
    }

    @BeforeEach
    void start() throws Exception {
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .realm(USERS)
                .context("/", context -> context.initializer(WebSockets.endpoints(UserEndpoint.class))
                        .servlet("doing", new DoingServlet(), "/members/do/*")
                        .constrain("/members/*", "member")
                        .basicLogin("site"))
                .start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource({
        DEPLOYED + ", logout",
        PROGRAMMATIC + ", logout",
        DEPLOYED + ", invalidate",
        PROGRAMMATIC + ", invalidate",
        DEPLOYED + ", expire"
    })
    void allConnectionsOfAUserAreClosedWithCode1008ButNotThoseOfOthers(String path, String end) throws Exception {
        Browser ada = new Browser("ada");
        Browser bob = new Browser("bob");
        ada.connect(path);
        ada.hears("ada");
        ada.connect(path);
        ada.hears("ada");
        WebSocket ofBob = bob.connect(path);
        bob.hears("bob");
        ada.visit(end);
        ada.hears("close 1008");
        ada.hears("close 1008");
        ofBob.sendText("?", true).get(60, TimeUnit.SECONDS);
        bob.hears("bob");
        assertNull(ada.heard.peek());
        ofBob.abort();
    }

    @Test
    void aLogoutAfterAChangeOfTheSessionIdClosesTheConnections() throws Exception {
        Browser ada = new Browser("ada");
        ada.connect(DEPLOYED);
        ada.hears("ada");
        ada.connect(PROGRAMMATIC);
        ada.hears("ada");
        ada.visit("renew");
        ada.visit("logout");
        ada.hears("close 1008");
        ada.hears("close 1008");
    }
}

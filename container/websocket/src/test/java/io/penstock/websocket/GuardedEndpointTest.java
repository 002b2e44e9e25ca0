package io.penstock.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.Penstock;
import io.penstock.realm.Realm;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A security constraint also protects an endpoint, because the handshake is an ordinary HTTP request. */
class GuardedEndpointTest {
    private static final Realm USERS = (name, password) ->
            password.equals("secret") ? new Realm.User(name, name.equals("ada") ? Set.of("member") : Set.of()) : null;

    private final CompletableFuture<String> received = new CompletableFuture<>();
    private Penstock server;

    private final class RecordingListener implements WebSocket.Listener {
        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence text, boolean last) {
            received.complete(text.toString());
            return null;
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
                        .constrain("/members/*", "member")
                        .basicLogin("site"))
                .start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private WebSocket connect(String credentials) {
        WebSocket.Builder builder = HttpClient.newHttpClient().newWebSocketBuilder();
        if (!credentials.isEmpty()) {
            String encoded = Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8));
            builder.header("Authorization", "Basic " + encoded);
        }
        URI uri = URI.create("ws://127.0.0.1:" + server.port() + "/members/who");
        return builder.buildAsync(uri, new RecordingListener()).join();
    }

    private void assertRefused(int status, String credentials) {
        CompletionException refused = assertThrows(CompletionException.class, () -> connect(credentials));
        WebSocketHandshakeException why = assertInstanceOf(WebSocketHandshakeException.class, refused.getCause());
        assertEquals(status, why.getResponse().statusCode());
    }

    @Test
    void theEndpointGetsTheNameOfAUserWithTheRequiredRole() throws Exception {
        WebSocket client = connect("ada:secret");
        client.sendText("?", true).get(60, TimeUnit.SECONDS);
        assertEquals("ada", received.get(60, TimeUnit.SECONDS));
        client.abort();
    }

    @Test
    void aHandshakeWithInvalidCredentialsOrWithoutTheRequiredRoleIsRejected() {
        assertRefused(401, "");
        assertRefused(401, "ada:wrong");
        assertRefused(403, "bob:secret");
    }
}

package io.penstock.websocket;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.LiveObjects;
import io.penstock.Penstock;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that an idle session needs little memory: nothing of its handshake may remain. The test adds the sizes of all live objects of
 * Penstock classes. The clients are sockets of the JDK, so their objects are not included.
 */
class IdleSessionsAreSmallTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int SESSIONS = 200;

    /**
     * The maximum size of an idle session in bytes, without objects of the JDK. The request, its response and the call of the application
     * need some 1,000 bytes more.
     */
    private static final int MAX_BYTES = 2_900;

    @TempDir
    Path folder;

    /** An access log refers to the head of a request until the response has ended. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nothingOfTheHandshakeRemains(boolean accessLog) throws Exception {
        List<Socket> clients = new ArrayList<>();
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .set("access-log", accessLog ? folder.resolve("log").toString() : "none")
                .context("/app", context -> context.initializer(WebSockets.endpoints(TalkEndpoint.class)))
                .start()) {
            // These first sessions create the objects that all sessions share.
            for (int i = 0; i < 10; i++) {
                clients.add(RawHandshake.connect(server, "/app/talk/a"));
            }
            long before = LiveObjects.bytesOf("io.penstock.");
            for (int i = 0; i < SESSIONS; i++) {
                clients.add(RawHandshake.connect(
                        server,
                        "/app/talk/a",
                        "User-Agent: " + "x".repeat(200),
                        "Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits"));
            }
            await().atMost(PATIENCE).untilAsserted(() -> {
                // The worker of the handshake needs a moment to drop the request.
                long each = (LiveObjects.bytesOf("io.penstock.") - before) / SESSIONS;
                assertTrue(each > 0, "the histogram shows no objects of the sessions");
                assertTrue(each <= MAX_BYTES, () -> "an idle session needs " + each + " bytes");
            });
        } finally {
            for (Socket client : clients) {
                client.close();
            }
        }
    }
}

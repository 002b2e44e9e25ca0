package io.penstock.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.Penstock;
import io.penstock.websocket.application.EngineServlet;
import io.penstock.websocket.application.GreetingEndpoint;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests applications on disk. The server finds their annotated endpoints. An application without endpoints gets no WebSocket engine. */
class ArchiveTest {
    @TempDir
    Path folder;

    private static String get(Penstock server, String path) throws Exception {
        URI address = URI.create("http://127.0.0.1:" + server.port() + path);
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    void theServerFindsAnAnnotatedEndpointInAnApplication() throws Exception {
        try (Penstock server = Penstock.builder()
                        .host("127.0.0.1")
                        .port(0)
                        .workers(2)
                        .war("/app", Application.of(folder, GreetingEndpoint.class, EngineServlet.class))
                        .start();
                RecordingWebSocketClient client = new RecordingWebSocketClient(server, "/app/greeting")) {
            client.say("Ada");
            client.assertHears("Hello, Ada, from /app");
            assertEquals("an engine", get(server, "/app/engine"));
        }
    }

    @Test
    void anApplicationWithoutEndpointsHasNoWebSocketEngine() throws Exception {
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(2)
                .war("/app", Application.of(folder, EngineServlet.class))
                .start()) {
            assertEquals("no engine", get(server, "/app/engine"));
        }
    }
}

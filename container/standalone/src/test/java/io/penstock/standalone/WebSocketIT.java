package io.penstock.standalone;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests an application that contains only a WebSocket endpoint. The WebSocket engine is in {@code penstock.jar}. */
class WebSocketIT {
    @TempDir
    Path folder;

    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();

    private final class RecordingListener implements WebSocket.Listener {
        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence text, boolean last) {
            received.add(text.toString());
            from.request(1);
            return null;
        }

        @Override
        public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
            received.add("close " + code);
            return null;
        }
    }

    @Test
    void theEndpointEchoesTextAndAStoppingServerSendsCloseCode1001() throws Exception {
        try (JarProcess jar = JarProcess.run(
                "--port",
                "0",
                "--workers",
                "1",
                EchoEndpoint.application(folder.resolve("chat")).toString())) {
            URI address = URI.create("ws://127.0.0.1:" + JarProcess.port(jar.startLine()) + "/echo");
            WebSocket client = HttpClient.newHttpClient()
                    .newWebSocketBuilder()
                    .buildAsync(address, new RecordingListener())
                    .get(60, TimeUnit.SECONDS);
            client.sendText("hello", true).get(60, TimeUnit.SECONDS);
            assertEquals("hello", received.poll(60, TimeUnit.SECONDS), jar.log());
            jar.terminate();
            assertEquals("close 1001", received.poll(60, TimeUnit.SECONDS), jar.log());
            jar.ended();
            assertTrue(jar.log().lines().allMatch(line -> line.contains(" INFO ")), jar.log());
        }
    }
}

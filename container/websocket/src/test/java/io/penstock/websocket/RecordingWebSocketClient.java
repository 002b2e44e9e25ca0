package io.penstock.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.Penstock;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A WebSocket client that records the messages it receives. It uses the HTTP client of the JDK. */
final class RecordingWebSocketClient implements WebSocket.Listener, AutoCloseable {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder bytes = new StringBuilder();
    private final WebSocket socket;

    RecordingWebSocketClient(Penstock server, String path, String... subprotocols) throws Exception {
        WebSocket.Builder builder = HTTP.newWebSocketBuilder();
        if (subprotocols.length > 0) {
            String[] others = new String[subprotocols.length - 1];
            System.arraycopy(subprotocols, 1, others, 0, others.length);
            builder.subprotocols(subprotocols[0], others);
        }
        socket = builder.buildAsync(URI.create("ws://127.0.0.1:" + server.port() + path), this)
                .get(60, TimeUnit.SECONDS);
    }

    WebSocket socket() {
        return socket;
    }

    RecordingWebSocketClient say(String message) throws Exception {
        socket.sendText(message, true).get(60, TimeUnit.SECONDS);
        return this;
    }

    void assertHears(String expected) throws InterruptedException {
        String next = heard.poll(60, TimeUnit.SECONDS);
        assertEquals(shortened(expected), shortened(next));
        assertEquals(expected.length(), next.length());
    }

    private static String shortened(String text) {
        return text == null || text.length() < 100 ? text : text.substring(0, 100) + "...";
    }

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
        text.append(part);
        if (last) {
            heard.add(text.toString());
            text.setLength(0);
        }
        from.request(1);
        return null;
    }

    @Override
    public CompletionStage<?> onBinary(WebSocket from, ByteBuffer part, boolean last) {
        bytes.append(StandardCharsets.ISO_8859_1.decode(part));
        if (last) {
            heard.add("bytes " + bytes);
            bytes.setLength(0);
        }
        from.request(1);
        return null;
    }

    @Override
    public CompletionStage<?> onPong(WebSocket from, ByteBuffer message) {
        heard.add("pong " + StandardCharsets.ISO_8859_1.decode(message));
        from.request(1);
        return null;
    }

    @Override
    public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
        heard.add("close " + code);
        return null;
    }

    @Override
    public void onError(WebSocket from, Throwable failure) {
        heard.add("error");
    }

    @Override
    public void close() {
        socket.abort();
    }
}

package io.penstock.compatibility;

import static org.junit.jupiter.api.Assertions.fail;

import java.net.URI;
import java.net.http.WebSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A WebSocket client that keeps the text messages of the server, and its close code as the text {@code close 1000}. */
public final class TextSocket {
    private static final int PATIENCE_SECONDS = 120;

    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    private final StringBuilder message = new StringBuilder();
    private final WebSocket socket;

    private TextSocket(Site site, URI uri) {
        socket = site.client()
                .newWebSocketBuilder()
                .buildAsync(uri, new Receiver())
                .join();
    }

    /** Opens a WebSocket with the cookies of {@code site}. */
    public static TextSocket open(Site site, String path) {
        return new TextSocket(site, URI.create(site.uri(path).toString().replaceFirst("http:", "ws:")));
    }

    private final class Receiver implements WebSocket.Listener {
        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
            message.append(part);
            if (last) {
                received.add(message.toString());
                message.setLength(0);
            }
            from.request(1);
            return null;
        }

        @Override
        public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
            received.add("close " + code);
            return null;
        }
    }

    public void send(String text) {
        socket.sendText(text, true).join();
    }

    public String next() throws InterruptedException {
        return String.valueOf(received.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
    }

    /** Returns the next message that contains {@code words}. Earlier messages, such as heartbeats, are dropped. */
    public String nextWith(String words) throws InterruptedException {
        List<String> dropped = new ArrayList<>();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        for (long left = deadline - System.nanoTime(); left > 0; left = deadline - System.nanoTime()) {
            String text = received.poll(left, TimeUnit.NANOSECONDS);
            if (text != null && text.contains(words)) {
                return text;
            }
            dropped.add(text);
        }
        return fail("no message contains " + words + ", only " + dropped);
    }

    /** Closes the connection, and waits for the answer of the server. */
    public void close() throws InterruptedException {
        socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
        nextWith("close " + WebSocket.NORMAL_CLOSURE);
    }
}

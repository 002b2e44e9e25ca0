package io.penstock.websocket;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.Penstock;
import io.penstock.StartException;
import io.penstock.telemetry.Figure;
import io.penstock.telemetry.FigureVisitor;
import io.penstock.telemetry.Times;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Tests what an operator sees of WebSocket sessions. */
class WebSocketFiguresTest {

    private static Penstock server(String... settings) throws StartException {
        Penstock.Builder builder = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .set("send-buffer", "4K")
                .context(
                        "/",
                        context -> context.initializer(
                                WebSockets.endpoints(FloodEndpoint.class, TalkEndpoint.class, BoundedEndpoint.class)));
        for (int i = 0; i < settings.length; i += 2) {
            builder.set(settings[i], settings[i + 1]);
        }
        return builder.start();
    }

    /** The sessions that have ended, by cause; without the causes of none. */
    private static Map<String, Long> ends(Penstock server) {
        Map<String, Long> ends = new HashMap<>();
        server.figures(new FigureVisitor() {
            @Override
            public void counter(Figure figure, LongSupplier value) {
                if (figure.name().equals("penstock.websocket.ended") && value.getAsLong() > 0) {
                    ends.put(figure.labels().get("cause"), value.getAsLong());
                }
            }

            @Override
            public void gauge(Figure figure, DoubleSupplier value) {
                // No gauge has a cause.
            }

            @Override
            public void times(Figure figure, Supplier<Times> value) {
                // No time has a cause.
            }
        });
        return ends;
    }

    private static void assertEnds(Penstock server, Map<String, Long> expected) {
        await().untilAsserted(() -> assertEquals(expected, ends(server)));
    }

    @Test
    void aSessionIsCountedWithItsFramesUntilItsEnd() throws Exception {
        try (Penstock server = server()) {
            assertFalse(server.dump().contains("WebSocket sessions"), server.dump());
            try (RecordingWebSocketClient client = new RecordingWebSocketClient(server, "/talk/a")) {
                client.say("hello");
                client.assertHears("a: hello");
                assertEquals(1, server.gauges().get("websocket-sessions"));
                await().until(() -> server.gauges().get("websocket-queued-bytes") == 0);
                await().until(() -> server.counters().get("websocket-frames-received") == 1);
                assertEquals(1, server.counters().get("websocket-frames-sent"));
                assertTrue(server.dump().contains("\n1 WebSocket sessions\n"), server.dump());
            }
            await().until(() -> server.gauges().get("websocket-sessions") == 0);
            assertEnds(server, Map.of("client-gone", 1L));
        }
    }

    @Test
    void theSlowestSessionsAreInTheDumpAndOnTheBoardWithTheirWaitingBytes() throws Exception {
        int messages = 64;
        String shown = "\"slowWebSockets\":[{\"endpoint\":\"/flood\",\"address\":\"127.0.0.1\",\"queuedBytes\":";
        try (Penstock server = server("admin-port", "0");
                Socket slow = RawHandshake.connect(server, "/flood")) {
            RawHandshake.sendText(slow, Integer.toString(messages));
            await().until(() ->
                    server.gauges().get("websocket-queued-bytes") > (messages - 8) * (long) FloodEndpoint.MESSAGE);
            assertTrue(server.dump().matches("(?s).* bytes  127\\.0\\.0\\.1 +/flood\n.*"), server.dump());
            try (InputStream dump = page(server, "dump");
                    BufferedReader board = new BufferedReader(new InputStreamReader(page(server, "events")))) {
                String text = new String(dump.readAllBytes(), StandardCharsets.UTF_8);
                assertTrue(text.contains(shown), text);
                String event = board.readLine();
                while (!event.contains(shown)) {
                    event = board.readLine(); // the board tells twice a second
                }
            }
            slow.setSoLinger(true, 0);
        }
    }

    private static InputStream page(Penstock server, String name) throws Exception {
        URI uri = URI.create(
                "http://127.0.0.1:" + server.adminAddress().orElseThrow().getPort() + '/' + name);
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(uri)
                                .header("Accept", name.equals("dump") ? "application/json" : "text/event-stream")
                                .build(),
                        HttpResponse.BodyHandlers.ofInputStream())
                .body();
    }

    private static void receiveAll(Socket client) throws IOException {
        client.getInputStream().readAllBytes();
    }

    @Test
    void endsAreCountedByTheirCause() throws Exception {
        try (Penstock server = server()) {
            try (Socket client = RawHandshake.connect(server, "/bounded")) {
                RawHandshake.sendText(client, "more than ten characters");
                receiveAll(client);
            }
            assertEnds(server, Map.of("message-too-big", 1L));
            try (Socket client = RawHandshake.connect(server, "/talk/a")) {
                client.getOutputStream().write(new byte[] {(byte) 0x81, 2, 'h', 'i'});
                receiveAll(client);
            }
            try (Socket client = RawHandshake.connect(server, "/talk/a")) {
                RawHandshake.sendText(client, "close 4000");
                client.getOutputStream().write(new byte[] {(byte) 0x88, (byte) 0x80, 0, 0, 0, 0});
                receiveAll(client);
            }
            try (Socket client = RawHandshake.connect(server, "/talk/a")) {
                client.getOutputStream().write(new byte[] {(byte) 0x88, (byte) 0x80, 0, 0, 0, 0});
                receiveAll(client);
            }
            assertEnds(
                    server,
                    Map.of(
                            "message-too-big", 1L,
                            "protocol-error", 1L,
                            "endpoint-closed", 1L,
                            "client-closed", 1L));
        }
    }

    @Test
    void aSilentSessionIsCountedWithTheTimeoutOfTheServer() throws Exception {
        try (Penstock server = server("upgrade-idle-timeout", "100ms");
                Socket silent = RawHandshake.connect(server, "/talk/a")) {
            receiveAll(silent);
            assertEnds(server, Map.of("upgrade-idle-timeout", 1L));
        }
    }

    @Test
    void aClientThatTakesNoByteIsCountedAsAWriteStall() throws Exception {
        try (Penstock server = server("response-spool-limit", "1M", "write-stall-timeout", "300ms");
                Socket slow = RawHandshake.connect(server, "/flood")) {
            RawHandshake.sendText(slow, "256");
            assertEnds(server, Map.of("write-stall-timeout", 1L));
        }
    }
}

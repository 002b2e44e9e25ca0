package io.penstock.websocket;

import static io.penstock.testing.Patience.PATIENCE;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.Penstock;
import io.penstock.StartException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Tests that slow, silent or busy WebSocket clients keep no worker from others. The server has only one worker for all clients. */
class SlowWebSocketClientTest {
    private static final class HelloServlet extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print("hello");
        }
    }

    private static Penstock server(String... settings) throws StartException {
        Penstock.Builder builder = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(1)
                .set("send-buffer", "4K")
                .context("/", context -> context.servlet("hello", new HelloServlet(), "/hello")
                        .initializer(WebSockets.endpoints(
                                FloodEndpoint.class, TalkEndpoint.class, HostileFramesTest.PartsEndpoint.class)));
        for (int i = 0; i < settings.length; i += 2) {
            builder.set(settings[i], settings[i + 1]);
        }
        return builder.start();
    }

    private static void assertServed(Penstock server) throws Exception {
        URI hello = URI.create("http://127.0.0.1:" + server.port() + "/hello");
        assertEquals(
                "hello",
                HttpClient.newHttpClient()
                        .send(
                                HttpRequest.newBuilder(hello).timeout(PATIENCE).build(),
                                HttpResponse.BodyHandlers.ofString())
                        .body());
    }

    @Test
    void messagesAreStoredOnDiskAndOccupyNoWorkerIfTheClientDoesNotRead() throws Exception {
        int messages = 256;
        try (Penstock server = server();
                Socket slow = RawHandshake.connect(server, "/flood")) {
            RawHandshake.sendText(slow, Integer.toString(messages));
            await().until(() ->
                    server.gauges().get("spool-bytes") > 0 && server.gauges().get("workers-busy") == 0);
            assertTrue(
                    server.gauges().get("pipe-bytes") <= 256 * 1024,
                    "the buffers (pipes) use more than 256 KiB: " + server.gauges());
            assertServed(server);
            DataInputStream in = new DataInputStream(slow.getInputStream());
            byte[] message = new byte[FloodEndpoint.MESSAGE];
            for (int i = 0; i < messages; i++) {
                assertEquals(0x82, in.readUnsignedByte());
                assertEquals(126, in.readUnsignedByte());
                assertEquals(FloodEndpoint.MESSAGE, in.readUnsignedShort());
                in.readFully(message);
            }
            await().until(() -> server.gauges().get("spool-bytes") == 0);
        }
    }

    @Test
    void aClientIsDisconnectedIfItsUnreadMessagesReachTheLimitForStorageOnDisk() throws Exception {
        try (Penstock server = server("response-spool-limit", "1M", "write-stall-timeout", "300ms");
                Socket slow = RawHandshake.connect(server, "/flood")) {
            RawHandshake.sendText(slow, "256");
            await().until(() -> server.counters().get("write-stalls") == 1);
            await().until(() -> server.gauges().get("connections") == 0);
            assertServed(server);
        }
    }

    @Test
    void silentClientsOccupyNoWorkerAndNoBuffer() throws Exception {
        try (Penstock server = server()) {
            List<Socket> silent = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                silent.add(RawHandshake.connect(server, "/talk/a"));
            }
            await().untilAsserted(() -> {
                assertEquals(20, server.gauges().get("connections-upgraded"));
                assertEquals(0, server.gauges().get("workers-busy"));
                assertEquals(0, server.gauges().get("pipe-bytes"));
            });
            assertServed(server);
            for (Socket socket : silent) {
                socket.close();
            }
        }
    }

    @Test
    void aSilentClientIsDisconnectedAfterTheIdleTimeout() throws Exception {
        TalkEndpoint.ENDS.clear();
        try (Penstock server = server("upgrade-idle-timeout", "2s");
                Socket silent = RawHandshake.connect(server, "/talk/a")) {
            silent.getInputStream().readAllBytes();
            assertEquals("close 1006", TalkEndpoint.ENDS.poll(60, TimeUnit.SECONDS));
            assertEquals(1, server.counters().get("upgrade-idle-timeouts"));
        }
    }

    /** The server reads the first part of a frame. No worker waits for the rest of the frame. */
    @Test
    void aClientThatPausesWithinAFrameOccupiesNoWorker() throws Exception {
        try (Penstock server = server();
                Socket slow = RawHandshake.connect(server, "/talk/a")) {
            slow.getOutputStream().write(new byte[] {(byte) 0x81, (byte) 0x85, 0, 0, 0, 0, 'h', 'e'});
            assertServed(server);
            slow.getOutputStream().write(new byte[] {'l', 'l', 'o'});
            DataInputStream in = new DataInputStream(slow.getInputStream());
            assertEquals(0x81, in.readUnsignedByte());
            byte[] text = new byte[in.readUnsignedByte()];
            in.readFully(text);
            assertEquals("a: hello", new String(text, StandardCharsets.US_ASCII));
        }
    }

    /** The one worker always has more to read. */
    @Test
    void aClientThatSendsWithoutAPauseLeavesTheWorkerToOthers() throws Exception {
        ByteBuffer frames = ByteBuffer.allocate(7 * 10_000);
        while (frames.hasRemaining()) {
            frames.put(new byte[] {(byte) 0x82, (byte) 0x81, 0, 0, 0, 0, 'x'});
        }
        AtomicBoolean served = new AtomicBoolean();
        try (Penstock server = server();
                Socket busy = RawHandshake.connect(server, "/parts")) {
            Thread sender = new Thread(() -> {
                try {
                    while (!served.get()) {
                        busy.getOutputStream().write(frames.array());
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            sender.start();
            try {
                await().until(() -> server.counters().get("websocket-messages-received") > 10_000);
                for (int i = 0; i < 10; i++) {
                    assertServed(server);
                }
            } finally {
                served.set(true);
                sender.join();
            }
        }
    }
}

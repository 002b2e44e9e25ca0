package io.penstock.websocket;

import static io.penstock.testing.Patience.PATIENCE;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.Penstock;
import io.penstock.StartException;
import jakarta.websocket.CloseReason;
import jakarta.websocket.OnMessage;
import jakarta.websocket.RemoteEndpoint;
import jakarta.websocket.Session;
import jakarta.websocket.server.ServerEndpoint;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what endpoints of a server send: to a client that does not read, in batches, and as they close. The server has one worker. */
class ServerSendsTest {
    private static final int LENGTH = 16 * 1024;

    /** More than the memory of the server, its disk for a client, and the buffers of the operating system take. */
    private static final int MANY = 4096;

    /** The results of the last {@link SendingEndpoint#flood}. */
    private static final BlockingQueue<List<Future<Void>>> FLOODS = new LinkedBlockingQueue<>();

    /** Does what the message says. */
    @ServerEndpoint("/sending")
    public static class SendingEndpoint {
        @OnMessage
        public void does(String command, Session session) throws IOException {
            RemoteEndpoint.Basic client = session.getBasicRemote();
            switch (command) {
                case "flood" -> FLOODS.add(flood(session.getAsyncRemote()));
                case "batch" -> {
                    client.setBatchingAllowed(true);
                    client.sendText("a");
                    session.getAsyncRemote().sendText("b");
                }
                case "flush" -> client.flushBatch();
                case "hello" -> client.sendText("hello");
                default -> {
                    int code = Integer.parseInt(command);
                    session.close(new CloseReason(CloseReason.CloseCodes.getCloseCode(code), "of the application"));
                }
            }
        }

        private static List<Future<Void>> flood(RemoteEndpoint.Async client) {
            List<Future<Void>> sends = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                sends.add(client.sendBinary(ByteBuffer.allocate(LENGTH)));
            }
            return sends;
        }
    }

    private static Penstock server(String... settings) throws StartException {
        Penstock.Builder builder = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(1)
                .set("send-buffer", "4K")
                .context("/", context -> context.initializer(WebSockets.endpoints(SendingEndpoint.class)));
        for (int i = 0; i < settings.length; i += 2) {
            builder.set(settings[i], settings[i + 1]);
        }
        return builder.start();
    }

    private static boolean isSent(Future<Void> send) throws InterruptedException {
        try {
            send.get();
            return true;
        } catch (ExecutionException e) {
            assertEquals(
                    "The peer does not read, and its queue of messages is full",
                    e.getCause().getMessage());
            return false;
        }
    }

    /**
     * The endpoint sends all messages within one call, although the client reads none. Those that have no room fail at once, and the others
     * arrive when the client reads. Without a time-out of the server, the call would last for ever if it waited for the client.
     */
    @Test
    void asynchronousSendsToAClientThatDoesNotReadDoNotWaitForIt() throws Exception {
        try (Penstock server = server("response-spool-limit", "1M", "write-stall-timeout", "1h");
                Socket slow = RawHandshake.connect(server, "/sending")) {
            RawHandshake.sendText(slow, "flood");
            List<Future<Void>> sends = FLOODS.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
            assertEquals(MANY, sends.size());
            Future<Void> last = sends.get(MANY - 1);
            assertTrue(last.isDone() && !isSent(last), "the last send has failed within its call");
            try (RecordingWebSocketClient other = new RecordingWebSocketClient(server, "/sending")) {
                other.say("hello").assertHears("hello");
            }
            int failed = 0;
            for (Future<Void> send : sends) {
                failed += send.isDone() && !isSent(send) ? 1 : 0;
            }
            assertTrue(failed > MANY / 2, failed + " of " + MANY + " sends have failed");
            DataInputStream in = new DataInputStream(slow.getInputStream());
            byte[] message = new byte[LENGTH];
            for (int i = 0; i < MANY - failed; i++) {
                assertEquals(0x827e, in.readUnsignedShort());
                assertEquals(LENGTH, in.readUnsignedShort());
                in.readFully(message);
            }
            int sent = 0;
            for (Future<Void> send : sends) {
                sent += isSent(send) ? 1 : 0;
            }
            assertEquals(MANY - failed, sent);
            // The session is still of use.
            RawHandshake.sendText(slow, "hello");
            assertEquals(0x8105, in.readUnsignedShort());
            assertEquals("hello", new String(in.readNBytes(5), StandardCharsets.US_ASCII));
        }
    }

    @Test
    void messagesOfABatchAreSentByTheFlush() throws Exception {
        try (Penstock server = server();
                Socket client = RawHandshake.connect(server, "/sending")) {
            RawHandshake.sendText(client, "batch");
            await().until(() -> server.counters().get("websocket-messages-received") == 1
                    && server.gauges().get("workers-busy") == 0);
            assertEquals(0, client.getInputStream().available());
            RawHandshake.sendText(client, "flush");
            assertArrayEquals(
                    new byte[] {(byte) 0x81, 1, 'a', (byte) 0x81, 1, 'b'},
                    client.getInputStream().readNBytes(6));
        }
    }

    /** Going away, policy violation, service restart, and try again later. */
    @ParameterizedTest
    @ValueSource(ints = {1000, 1001, 1008, 1011, 1012, 1013, 4999})
    void theCloseCodeOfTheApplicationReachesTheClientWithItsReason(int code) throws Exception {
        try (Penstock server = server();
                Socket client = RawHandshake.connect(server, "/sending")) {
            RawHandshake.sendText(client, Integer.toString(code));
            DataInputStream in = new DataInputStream(client.getInputStream());
            assertEquals(0x88, in.readUnsignedByte());
            byte[] payload = in.readNBytes(in.readUnsignedByte());
            assertEquals(code, ByteBuffer.wrap(payload).getShort());
            assertEquals("of the application", new String(payload, 2, payload.length - 2, StandardCharsets.UTF_8));
        }
    }
}

package io.penstock.websocket;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.Penstock;
import io.penstock.StartException;
import jakarta.websocket.OnMessage;
import jakarta.websocket.server.ServerEndpoint;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.Deflater;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests invalid frames, and messages that never end. */
class HostileFramesTest {
    private static final int UNFINISHED = 200_000;
    private static final int FRAME = 50_000;
    private static final int TINY_MESSAGES = Integer.getInteger("penstock.tiny.messages", 100_000);
    private static final byte[] LARGE_FRAME = {(byte) 0x81, (byte) 0xfe, (byte) (FRAME >> 8), (byte) FRAME, 0, 0, 0, 0};

    private Penstock server;

    @BeforeEach
    void start() throws StartException {
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .context("/", context -> context.initParam(MessageBounds.UNFINISHED, Integer.toString(UNFINISHED))
                        .initializer(WebSockets.endpoints(TalkEndpoint.class, PartsEndpoint.class)))
                .set("send-buffer", "4K")
                .start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void assertClosesConnection(int code, byte[] frame) throws IOException {
        try (Socket client = RawHandshake.connect(server, "/talk/a")) {
            client.getOutputStream().write(frame);
            assertTrue(close(client).startsWith(code + " "));
        }
    }

    /** Reads the close frame, and the end of the connection. Returns the code and the reason. */
    private static String close(Socket client) throws IOException {
        String close = closeFrame(client);
        assertEquals(-1, client.getInputStream().read());
        return close;
    }

    private static String closeFrame(Socket client) throws IOException {
        DataInputStream in = new DataInputStream(client.getInputStream());
        assertEquals(0x88, in.readUnsignedByte());
        byte[] payload = new byte[in.readUnsignedByte()];
        in.readFully(payload);
        return ByteBuffer.wrap(payload).getShort()
                + " "
                + new String(payload, Short.BYTES, payload.length - Short.BYTES, StandardCharsets.UTF_8);
    }

    /** A frame with a payload of zeros, masked with zeros. */
    private static byte[] frame(int first, int length) {
        ByteBuffer frame = ByteBuffer.allocate(14 + length).put((byte) first);
        if (length < 126) {
            frame.put((byte) (0x80 | length));
        } else if (length < 1 << 16) {
            frame.put((byte) 0xfe).putShort((short) length);
        } else {
            frame.put((byte) 0xff).putLong(length);
        }
        frame.position(frame.position() + 4 + length);
        return Arrays.copyOf(frame.array(), frame.position());
    }

    /** Gets messages in parts, without a limit, and drops them. */
    @ServerEndpoint("/parts")
    public static class PartsEndpoint {
        @OnMessage
        public void part(byte[] bytes, boolean last) {
            // The limits of the server must hold without one of the application.
        }
    }

    @Test
    void aFrameWithoutAMaskCausesCloseCode1002() throws Exception {
        assertClosesConnection(1002, new byte[] {(byte) 0x81, 2, 'h', 'i'});
    }

    /** Without a check in the server, this frame would cause an exception in the WebSocket engine and a stack trace in the log. */
    @Test
    void aFrameWithANegativeLengthCausesCloseCode1002() throws Exception {
        assertClosesConnection(1002, new byte[] {(byte) 0x82, (byte) 0xff, -1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0});
    }

    @Test
    void closeCode1002IsSentIfTheLengthOfAFrameIsNotInTheShortestForm() throws Exception {
        assertClosesConnection(1002, new byte[] {(byte) 0x81, (byte) 0xfe, 0, 2, 0, 0, 0, 0, 'h', 'i'});
        assertClosesConnection(
                1002, new byte[] {(byte) 0x81, (byte) 0xff, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 'h', 'i'});
    }

    @Test
    void aTooLargeFrameIsRejectedBeforeItsPayloadArrives() throws Exception {
        assertClosesConnection(1009, new byte[] {(byte) 0x82, (byte) 0xff, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0});
    }

    @Test
    void aMessageOf60KbIsServedAndOneOf1MbIsRefusedWithItsReason() throws Exception {
        try (Socket client = RawHandshake.connect(server, "/talk/a")) {
            int length = 60_000;
            client.getOutputStream().write(frame(0x82, length));
            DataInputStream in = new DataInputStream(client.getInputStream());
            assertEquals(0x82, in.readUnsignedByte());
            assertEquals(126, in.readUnsignedByte());
            assertEquals(length, in.readUnsignedShort());
            in.readFully(new byte[length]);
            client.getOutputStream().write(Arrays.copyOf(frame(0x82, 1 << 20), 14));
            assertEquals("1009 The message is too large.", close(client));
        }
        try (Socket client = RawHandshake.connect(server, "/talk/a")) {
            client.getOutputStream().write(frame(0x02, 60_000));
            client.getOutputStream().write(Arrays.copyOf(frame(0x80, 60_000), 8));
            assertEquals("1009 The message is too large.", close(client));
        }
    }

    /** One megabyte that inflates to one gigabyte. The server inflates at most what its limits permit. */
    @ParameterizedTest
    @CsvSource({
        "/talk/a, 65536, The message is too large.",
        "/parts, 5000000, The message inflates to too many times its size."
    })
    void aBombEndsWithCode1009BeforeItNeedsMemory(String path, long most, String reason) throws Exception {
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
        deflater.setInput(new byte[1 << 20]);
        byte[] megabyte = new byte[4096];
        int length = deflater.deflate(megabyte, 0, megabyte.length, Deflater.SYNC_FLUSH);
        deflater.end();
        assertTrue(length < 2048, "a megabyte needs " + length + " bytes");
        try (Socket client = RawHandshake.connect(
                server, path, "Sec-WebSocket-Extensions: permessage-deflate; client_no_context_takeover")) {
            byte[] bomb = frame(0xc2, 1024 * length);
            for (int i = 0; i < 1024; i++) {
                System.arraycopy(megabyte, 0, bomb, 14 + i * length, length);
            }
            Thread sender = new Thread(() -> {
                try {
                    client.getOutputStream().write(bomb);
                } catch (IOException expected) {
                    // The server closes before it has read all.
                }
            });
            sender.start();
            assertEquals(
                    "1009 " + reason, closeFrame(client)); // the end may be a reset, because the client still sends
            sender.join();
            long inflated = server.counters().get("websocket-uncompressed-bytes");
            assertTrue(inflated <= most + (1 << 16), "inflated bytes: " + inflated);
        }
    }

    @Test
    void aHundredThousandEmptyFragmentsAreOneMessageAndNeedNoMemory() throws Exception {
        int fragments = 100_000;
        try (Socket client = RawHandshake.connect(server, "/talk/a")) {
            ByteBuffer all = ByteBuffer.allocate(fragments * 6);
            all.put(frame(0x01, 0));
            for (int i = 1; i < fragments; i++) {
                all.put(frame(0x00, 0));
            }
            client.getOutputStream().write(all.array());
            client.getOutputStream().write(new byte[] {(byte) 0x80, (byte) 0x82, 0, 0, 0, 0, 'h', 'i'});
            DataInputStream in = new DataInputStream(client.getInputStream());
            assertEquals(0x81, in.readUnsignedByte());
            byte[] text = new byte[in.readUnsignedByte()];
            in.readFully(text);
            assertEquals("a: hi", new String(text, StandardCharsets.US_ASCII));
            await().until(() -> server.counters().get("websocket-frames-received") == fragments + 1);
        }
    }

    /** The client reads the answers while it sends. Its messages need no more memory than one connection has. */
    @Test
    void aHundredThousandTinyMessagesAreAnsweredAndNeedLittleMemory() throws Exception {
        int messages = TINY_MESSAGES;
        byte[] message = frame(0x82, 1);
        ByteBuffer all = ByteBuffer.allocate(messages * message.length);
        while (all.hasRemaining()) {
            all.put(message);
        }
        try (Socket client = RawHandshake.connect(server, "/talk/a")) {
            Thread sender = new Thread(() -> {
                try {
                    client.getOutputStream().write(all.array());
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            sender.start();
            DataInputStream in = new DataInputStream(new BufferedInputStream(client.getInputStream()));
            for (int i = 0; i < messages; i++) {
                assertEquals(0x8201, in.readUnsignedShort());
                assertEquals(0, in.readUnsignedByte());
                if (i % 1000 == 0) {
                    assertTrue(server.gauges().get("pipe-bytes") <= 8 << 20, "pipes: " + server.gauges());
                    assertTrue(server.gauges().get("websocket-queued-bytes") <= 8 << 20, "queue: " + server.gauges());
                }
            }
            sender.join();
        }
        assertEquals(messages, server.counters().get("websocket-messages-received"));
        await().until(() -> server.gauges().get("pipe-bytes") == 0);
    }

    /** The client sends pings and reads no pong. Its pongs hold no worker, and the memory of one connection at most. */
    @Test
    void pongsThatNobodyReadsHoldNoWorkerAndLittleMemory() throws Exception {
        byte[] ping = frame(0x89, 125);
        ByteBuffer pings = ByteBuffer.allocate(1000 * ping.length);
        while (pings.hasRemaining()) {
            pings.put(ping);
        }
        try (Socket client = RawHandshake.connect(server, "/talk/a")) {
            for (int i = 0; i < 50; i++) {
                client.getOutputStream().write(pings.array());
            }
            await().until(() -> server.counters().get("websocket-frames-received") == 50_000);
            await().until(() -> server.gauges().get("workers-busy") == 0);
            assertTrue(server.gauges().get("pipe-bytes") <= 8 << 20, "pipes: " + server.gauges());
            try (RecordingWebSocketClient other = new RecordingWebSocketClient(server, "/talk/a")) {
                other.say("hi");
                other.assertHears("a: hi");
            }
            client.setSoLinger(true, 0);
        }
        await().until(() -> server.gauges().get("pipe-bytes") == 0);
    }

    @Test
    void aHandshakeThatStopsHalfWayIsEndedAndIsNoSession() throws Exception {
        try (Penstock hasty = Penstock.builder()
                        .host("127.0.0.1")
                        .port(0)
                        .set("head-timeout", "200ms")
                        .context("/", context -> context.initializer(WebSockets.endpoints(TalkEndpoint.class)))
                        .start();
                Socket client = new Socket("127.0.0.1", hasty.port())) {
            client.getOutputStream()
                    .write("GET /talk/a HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: webso"
                            .getBytes(StandardCharsets.US_ASCII));
            String answer = new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertTrue(answer.startsWith("HTTP/1.1 408 "), answer);
            assertEquals(0, hasty.gauges().get("websocket-sessions"));
            assertEquals(1, hasty.counters().get("head-timeouts"));
        }
    }

    /** The server closes the connections with the oldest unfinished messages, and still serves a client with a complete message. */
    @Test
    void theMemoryForUnfinishedMessagesIsLimited() throws Exception {
        List<Socket> hostile = new ArrayList<>();
        try {
            int most = UNFINISHED / FRAME;
            for (int i = 0; i < 3 * most; i++) {
                Socket client = RawHandshake.connect(server, "/talk/a");
                hostile.add(client);
                client.getOutputStream().write(LARGE_FRAME);
                client.getOutputStream().write(new byte[FRAME - 1]);
            }
            await().until(() -> server.gauges().get("connections-upgraded") <= most);
            assertHasEnded(hostile.get(0));
            try (RecordingWebSocketClient client = new RecordingWebSocketClient(server, "/talk/a")) {
                client.say("x".repeat(FRAME));
                client.assertHears("a: " + "x".repeat(FRAME));
            }
        } finally {
            for (Socket client : hostile) {
                client.close();
            }
        }
    }

    /** A client that sends message after message is not the one with the oldest, although it has an unfinished one at each look. */
    @Test
    void theNextMessageOfAClientIsYoungerThanThoseThatOthersHaveBegunMeanwhile() throws Exception {
        byte[] unfinished = Arrays.copyOf(LARGE_FRAME, LARGE_FRAME.length + FRAME - 1);
        List<Socket> hostile = new ArrayList<>();
        try (Socket busy = RawHandshake.connect(server, "/talk/a")) {
            busy.getOutputStream().write(unfinished);
            awaitFrames(1);
            hostile.add(begun(unfinished));
            awaitFrames(2);
            ByteBuffer next =
                    ByteBuffer.allocate(1 + unfinished.length).put((byte) 0).put(unfinished);
            busy.getOutputStream().write(next.array());
            awaitFrames(3);
            while (hostile.size() <= UNFINISHED / FRAME - 1) {
                hostile.add(begun(unfinished));
            }
            assertHasEnded(hostile.get(0));
            busy.getOutputStream().write(0);
            DataInputStream in = new DataInputStream(busy.getInputStream());
            for (int message = 0; message < 2; message++) {
                assertEquals(0x81, in.readUnsignedByte());
                assertEquals(126, in.readUnsignedByte());
                in.readFully(new byte[in.readUnsignedShort()]);
            }
        } finally {
            for (Socket client : hostile) {
                client.close();
            }
        }
    }

    private Socket begun(byte[] unfinished) throws IOException {
        Socket client = RawHandshake.connect(server, "/talk/a");
        client.getOutputStream().write(unfinished);
        return client;
    }

    private void awaitFrames(int received) {
        await().until(() -> server.counters().get("websocket-frames-received") == received
                && server.gauges().get("workers-busy") == 0);
    }

    private static void assertHasEnded(Socket client) {
        try (DataInputStream in = new DataInputStream(client.getInputStream())) {
            in.readFully(new byte[1000]);
        } catch (EOFException | SocketException expected) {
            return;
        } catch (IOException e) {
            throw new AssertionError("the connection is still open", e);
        }
        throw new AssertionError("the connection is still open");
    }
}

package io.penstock.websocket;

import static io.penstock.testing.Patience.PATIENCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.Penstock;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests WebSocket over one stream of HTTP/2 (RFC 8441 section 5): the handshake, messages, both close handshakes, and other ends. */
class Rfc8441WebSocketTest {
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;
    private static final int STATUS_200 = 0x88; // the entry 8 of the static table
    private static final int STREAM = 1;

    private Penstock server;

    @BeforeEach
    void start() throws Exception {
        TalkEndpoint.ENDS.clear();
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(1)
                .set("h2c", "on")
                .context("/", context -> context.initializer(WebSockets.endpoints(TalkEndpoint.class)))
                .start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    /** A client with one stream. It keeps the bytes that the server has sent on it. */
    private static final class Stream implements AutoCloseable {
        private final Socket socket;
        private final DataInputStream in;
        private final ByteArrayOutputStream unread = new ByteArrayOutputStream();
        private byte[] head;
        private boolean ended;
        private boolean reset;

        Stream(int port, String version, String path, String... fields) throws IOException {
            socket = new Socket("127.0.0.1", port);
            socket.setSoTimeout((int) PATIENCE.toMillis());
            in = new DataInputStream(socket.getInputStream());
            socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            frame(SETTINGS, 0, 0, new byte[0]);
            frame(SETTINGS, 1, 0, new byte[0]); // acknowledges those of the server
            ByteArrayOutputStream block = new ByteArrayOutputStream();
            field(block, ":method", "CONNECT");
            field(block, ":protocol", "websocket");
            field(block, ":scheme", "http");
            field(block, ":authority", "localhost");
            field(block, ":path", path);
            field(block, "sec-websocket-version", version);
            for (int i = 0; i < fields.length; i += 2) {
                field(block, fields[i], fields[i + 1]);
            }
            frame(HEADERS, END_HEADERS, STREAM, block.toByteArray());
            while (head == null) {
                read();
            }
        }

        /** A literal without index and without Huffman code. Name and value have fewer than 127 octets. */
        private static void field(ByteArrayOutputStream block, String name, String value) {
            block.write(0);
            for (String text : new String[] {name, value}) {
                block.write(text.length());
                block.writeBytes(text.getBytes(StandardCharsets.US_ASCII));
            }
        }

        private void frame(int type, int flags, int stream, byte[] payload) throws IOException {
            socket.getOutputStream()
                    .write(ByteBuffer.allocate(9 + payload.length)
                            .putInt(payload.length << 8 | type)
                            .put((byte) flags)
                            .putInt(stream)
                            .put(payload)
                            .array());
        }

        private void read() throws IOException {
            int lengthAndType = in.readInt();
            int type = lengthAndType & 0xFF;
            int flags = in.readUnsignedByte();
            int stream = in.readInt();
            byte[] payload = new byte[lengthAndType >>> 8];
            in.readFully(payload);
            if (stream != STREAM) {
                return;
            }
            if (type == HEADERS) {
                head = payload;
            } else if (type == DATA) {
                unread.writeBytes(payload);
            }
            reset |= type == RST_STREAM;
            ended |= type != RST_STREAM && (flags & END_STREAM) != 0;
        }

        boolean isOpen() {
            return (head[0] & 0xFF) == STATUS_200 && !ended;
        }

        String head() {
            return new String(head, StandardCharsets.ISO_8859_1);
        }

        /** Sends a frame whose mask is 0. */
        void send(int firstByte, byte[] payload) throws IOException {
            ByteBuffer frame = ByteBuffer.allocate(14 + payload.length).put((byte) firstByte);
            if (payload.length < 126) {
                frame.put((byte) (0x80 | payload.length));
            } else {
                frame.put((byte) (0x80 | 126)).putShort((short) payload.length);
            }
            frame.putInt(0).put(payload).flip();
            byte[] bytes = new byte[frame.remaining()];
            frame.get(bytes);
            frame(DATA, 0, STREAM, bytes);
        }

        void sendText(String text) throws IOException {
            send(0x81, text.getBytes(StandardCharsets.UTF_8));
        }

        private byte[] take(int count) throws IOException {
            while (unread.size() < count) {
                assertFalse(ended || reset, "the stream has ended");
                read();
            }
            byte[] all = unread.toByteArray();
            unread.reset();
            unread.write(all, count, all.length - count);
            return Arrays.copyOf(all, count);
        }

        /** Reads a frame of fewer than 64 KB. Returns its payload, behind its first byte. */
        byte[] receive() throws IOException {
            byte[] start = take(2);
            int length = start[1] == 126 ? ByteBuffer.wrap(take(2)).getShort() & 0xFFFF : start[1];
            return ByteBuffer.allocate(1 + length)
                    .put(start[0])
                    .put(take(length))
                    .array();
        }

        String receiveText() throws IOException {
            byte[] frame = receive();
            assertEquals(0x81, frame[0] & 0xFF);
            return new String(frame, 1, frame.length - 1, StandardCharsets.UTF_8);
        }

        int receiveClose() throws IOException {
            byte[] frame = receive();
            assertEquals(0x88, frame[0] & 0xFF);
            return ByteBuffer.wrap(frame).getShort(1);
        }

        /** Reads up to the end of the stream, which is no reset. */
        void awaitEnd() throws IOException {
            while (!ended) {
                assertFalse(reset);
                read();
            }
        }

        void awaitReset() throws IOException {
            while (!reset) {
                read();
            }
        }

        void end() throws IOException {
            frame(DATA, END_STREAM, STREAM, new byte[0]);
        }

        void reset() throws IOException {
            frame(RST_STREAM, 0, STREAM, new byte[] {0, 0, 0, 8});
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private static byte[] code(int code) {
        return ByteBuffer.allocate(2).putShort((short) code).array();
    }

    private static void assertEnds(String expected) throws InterruptedException {
        assertEquals(expected, TalkEndpoint.ENDS.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    }

    @Test
    void messagesAreEchoedOverARequestedSubprotocol() throws Exception {
        try (Stream client = new Stream(server.port(), "13", "/talk/hall", "sec-websocket-protocol", "talk.v1")) {
            assertTrue(client.isOpen());
            assertTrue(client.head().contains("talk.v1"), client.head());
            assertFalse(client.head().contains("accept"), client.head());
            client.sendText("Grüße");
            assertEquals("hall: Grüße", client.receiveText());
            client.send(0x01, "in two ".getBytes(StandardCharsets.US_ASCII));
            client.send(0x80, "fragments".getBytes(StandardCharsets.US_ASCII));
            assertEquals("hall: in two fragments", client.receiveText());
        }
        assertEnds("close 1006");
    }

    @Test
    void messagesAreCompressedIfTheClientOffersIt() throws Exception {
        String text = "again".repeat(1000);
        try (Stream client =
                new Stream(server.port(), "13", "/talk/a", "sec-websocket-extensions", "permessage-deflate")) {
            assertTrue(client.head().contains("permessage-deflate"), client.head());
            client.sendText(text);
            byte[] frame = client.receive();
            assertEquals(0xC1, frame[0] & 0xFF);
            assertTrue(frame.length < text.length());
            assertEquals("a: " + text, inflated(frame));
        }
    }

    private static String inflated(byte[] frame) throws DataFormatException {
        Inflater inflater = new Inflater(true);
        inflater.setInput(frame, 1, frame.length - 1);
        byte[] out = new byte[10_000];
        int count = inflater.inflate(out);
        inflater.end();
        return new String(out, 0, count, StandardCharsets.UTF_8);
    }

    @Test
    void aCloseOfTheClientIsAnsweredAndEndsTheStream() throws Exception {
        try (Stream client = new Stream(server.port(), "13", "/talk/a")) {
            client.send(0x88, code(3999));
            assertEquals(3999, client.receiveClose());
            client.awaitEnd();
            client.end();
            assertEnds("close 3999");
        }
    }

    @Test
    void aCloseOfTheEndpointIsAnsweredAndEndsTheStream() throws Exception {
        try (Stream client = new Stream(server.port(), "13", "/talk/a")) {
            client.sendText("close 4001");
            assertEquals(4001, client.receiveClose());
            client.send(0x88, code(4001));
            client.awaitEnd();
            assertEnds("close 4001");
        }
    }

    @Test
    void aResetOfTheClientIsAnEndWithoutClose() throws Exception {
        try (Stream client = new Stream(server.port(), "13", "/talk/a")) {
            client.sendText("x");
            assertEquals("a: x", client.receiveText());
            client.reset();
            assertEnds("close 1006");
        }
    }

    @Test
    void anEndWithoutCloseIsAnsweredByTheEnd() throws Exception {
        try (Stream client = new Stream(server.port(), "13", "/talk/a")) {
            client.sendText("x");
            assertEquals("a: x", client.receiveText());
            client.end();
            client.awaitEnd();
            assertEnds("close 1006");
        }
    }

    @Test
    void aStoppingServerClosesWith1001() throws Exception {
        try (Stream client = new Stream(server.port(), "13", "/talk/a")) {
            client.sendText("x");
            assertEquals("a: x", client.receiveText());
            Thread stopping = new Thread(server::close);
            stopping.start();
            assertEquals(1001, client.receiveClose());
            client.send(0x88, code(1001));
            client.awaitEnd();
            client.end();
            stopping.join();
            assertEnds("close 1001");
        }
    }

    @Test
    void anUndeployedApplicationClosesWith1001AndTheConnectionGoesOn() throws Exception {
        server.deploy("/brief", context -> context.initializer(WebSockets.endpoints(TalkEndpoint.class)));
        try (Stream client = new Stream(server.port(), "13", "/brief/talk/a")) {
            client.sendText("x");
            assertEquals("a: x", client.receiveText());
            assertTrue(server.undeploy("/brief"));
            assertEquals(1001, client.receiveClose());
            client.awaitEnd();
            assertEnds("close 1001");
            client.awaitReset(); // the client has not ended its direction
        }
    }

    @Test
    void aPathWithoutAnEndpointRefusesTheHandshake() throws Exception {
        try (Stream client = new Stream(server.port(), "13", "/nobody")) {
            assertFalse(client.isOpen());
        }
    }

    @Test
    void anotherVersionIsRefused() throws Exception {
        try (Stream client = new Stream(server.port(), "8", "/talk/a")) {
            assertFalse(client.isOpen());
        }
    }
}

package io.penstock.loadtest.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.zip.Inflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class WebSocketTest {
    private static final String ACCEPTED =
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n";

    @RegisterExtension
    private final LoopWithServer ends = new LoopWithServer(1);

    @Test
    void messagesAreCountedWhereverTheBytesAreCut() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes((ACCEPTED + "\r\n").getBytes(StandardCharsets.US_ASCII));
        bytes.writeBytes(new byte[] {(byte) 0x81, 2, 'H', 'i'});
        // A ping between the two fragments of a message, an empty message, and one with a length of two octets.
        bytes.writeBytes(new byte[] {0x02, 1, 'a', (byte) 0x89, 1, '?', (byte) 0x80, 1, 'b', (byte) 0x82, 0});
        bytes.writeBytes(new byte[] {(byte) 0x82, 126, 1, 0});
        bytes.writeBytes("x".repeat(256).getBytes(StandardCharsets.US_ASCII));
        byte[] all = bytes.toByteArray();
        Wire wire = open(new WebSocket(ends.target(), false, new Recorder()));
        for (int cut = 0; cut <= all.length; cut++) {
            int at = cut;
            Recorder recorder = new Recorder();
            WebSocket socket = new WebSocket(ends.target(), false, recorder);
            onLoop(() -> {
                socket.onBytes(wire, ByteBuffer.wrap(all, 0, at));
                socket.onBytes(wire, ByteBuffer.wrap(all, at, all.length - at));
            });
            assertEquals(List.of("Hi", "ab", "", "x".repeat(256)), recorder.messages, "cut at " + cut);
            assertEquals(2 + 2 + 256, socket.receivedBytes());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5, 125, 126, 65_535, 65_536, 1 << 20})
    void aFrameIsMaskedAndItsLengthHasTheShortestForm(int length) throws Exception {
        byte[] content = new byte[length];
        for (int i = 0; i < length; i++) {
            content[i] = (byte) i;
        }
        ByteBuffer frame = WebSocket.binary(content, false);
        assertEquals((byte) 0x82, frame.get());
        assertArrayEquals(content, unmasked(frame));
    }

    @Test
    void aCompressedMessageCanBeDecompressedByItself() throws Exception {
        String content = "Hello, World! ".repeat(1000);
        ByteBuffer frame = WebSocket.text(content, true);
        assertEquals((byte) 0xc1, frame.get());
        assertTrue(frame.remaining() < content.length() / 10);
        Inflater inflater = new Inflater(true);
        ByteArrayOutputStream payload = new ByteArrayOutputStream();
        payload.writeBytes(unmasked(frame));
        payload.writeBytes(new byte[] {0, 0, (byte) 0xff, (byte) 0xff});
        inflater.setInput(payload.toByteArray());
        byte[] inflated = new byte[content.length() + 1];
        assertEquals(content.length(), inflater.inflate(inflated));
        inflater.end();
        assertEquals(content, new String(inflated, 0, content.length(), StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @CsvSource({
        "false, 'HTTP/1.1 404 Not Found', The server has refused the handshake: HTTP/1.1 404 Not Found",
        "true, '', The server does not compress",
        "false, 'Sec-WebSocket-Extensions: permessage-deflate', The server compresses without an offer"
    })
    void aSessionEndsIfTheServerDoesNotAcceptTheHandshake(boolean deflated, String line, String trouble)
            throws Exception {
        Recorder recorder = new Recorder();
        open(new WebSocket(ends.target(), deflated, recorder));
        try (Socket peer = ends.accept()) {
            String response = line.startsWith("HTTP")
                    ? line + "\r\n\r\n"
                    : ACCEPTED + line + (line.isEmpty() ? "" : "\r\n") + "\r\n";
            peer.getOutputStream().write(response.getBytes(StandardCharsets.US_ASCII));
            CallException end = recorder.end.get();
            assertEquals(Failure.BAD_RESPONSE, end.failure());
            assertEquals(trouble, end.getMessage());
        }
    }

    @Test
    void theHandshakeOffersCompressionAndACloseOfTheServerEndsTheSession() throws Exception {
        Recorder recorder = new Recorder();
        open(new WebSocket(ends.target(), true, recorder));
        try (Socket peer = ends.accept()) {
            DataInputStream in = new DataInputStream(peer.getInputStream());
            StringBuilder request = new StringBuilder();
            while (request.indexOf("\r\n\r\n") < 0) {
                request.append((char) in.readByte());
            }
            assertTrue(request.toString().startsWith("GET /slow HTTP/1.1\r\n"), request::toString);
            assertTrue(
                    request.toString().contains("\r\nSec-WebSocket-Extensions: permessage-deflate\r\n"),
                    request::toString);
            String accepted = ACCEPTED + "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n";
            peer.getOutputStream().write(accepted.getBytes(StandardCharsets.US_ASCII));
            peer.getOutputStream().write(new byte[] {(byte) 0x88, 0});
            assertEquals("The server has closed the session", recorder.end.get().getMessage());
        }
    }

    /** The content of a frame, after its first octet. */
    private static byte[] unmasked(ByteBuffer frame) {
        int length = frame.get() & 0xff;
        assertTrue(length >= 128, "the frame has no mask");
        long real = length == 254 ? frame.getShort() & 0xffff : length == 255 ? frame.getLong() : length - 128;
        assertTrue(length < 254 || real > (length == 254 ? 125 : 65_535), "the length is not in the shortest form");
        byte[] mask = new byte[4];
        frame.get(mask);
        assertEquals(real, frame.remaining());
        byte[] content = new byte[frame.remaining()];
        frame.get(content);
        for (int i = 0; i < content.length; i++) {
            content[i] ^= mask[i % 4];
        }
        return content;
    }

    private Wire open(WebSocket socket) throws Exception {
        CompletableFuture<Wire> wire = new CompletableFuture<>();
        onLoop(() -> wire.complete(ends.loop().open(ends.target().address(), socket)));
        return wire.get();
    }

    private interface Task {
        void run() throws IOException;
    }

    private void onLoop(Task task) throws Exception {
        CompletableFuture<Void> done = new CompletableFuture<>();
        ends.loop().execute(() -> {
            try {
                task.run();
                done.complete(null);
            } catch (IOException failed) {
                done.completeExceptionally(failed);
            }
        });
        done.get();
    }

    private static final class Recorder implements WebSocket.Listener {
        private final List<String> messages = new ArrayList<>();
        private final CompletableFuture<CallException> end = new CompletableFuture<>();
        private String content = "";

        @Override
        public void onAccepted(WebSocket socket) {}

        @Override
        public void onContent(ByteBuffer part) {
            content += StandardCharsets.US_ASCII.decode(part);
        }

        @Override
        public void onMessage(WebSocket socket) {
            messages.add(content);
            content = "";
        }

        @Override
        public void onEnd(WebSocket socket, CallException cause) {
            end.complete(cause);
        }
    }
}

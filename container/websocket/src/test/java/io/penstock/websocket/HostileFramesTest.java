package io.penstock.websocket;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.Penstock;
import io.penstock.StartException;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests invalid frames, and messages that never end. */
class HostileFramesTest {
    private static final int UNFINISHED = 200_000;
    private static final int FRAME = 50_000;
    private static final byte[] LARGE_FRAME = {(byte) 0x81, (byte) 0xfe, (byte) (FRAME >> 8), (byte) FRAME, 0, 0, 0, 0};

    private Penstock server;

    @BeforeEach
    void start() throws StartException {
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .context("/", context -> context.initParam(MessageBounds.UNFINISHED, Integer.toString(UNFINISHED))
                        .initializer(WebSockets.endpoints(TalkEndpoint.class)))
                .start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private void assertClosesConnection(int code, byte[] frame) throws IOException {
        try (Socket client = RawHandshake.connect(server, "/talk/a")) {
            client.getOutputStream().write(frame);
            DataInputStream in = new DataInputStream(client.getInputStream());
            assertEquals(0x88, in.readUnsignedByte());
            byte[] payload = new byte[in.readUnsignedByte()];
            in.readFully(payload);
            assertEquals(code, ByteBuffer.wrap(payload).getShort());
            assertEquals(-1, in.read());
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

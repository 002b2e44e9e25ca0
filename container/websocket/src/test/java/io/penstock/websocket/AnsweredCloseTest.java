package io.penstock.websocket;

import static io.penstock.testing.Patience.PATIENCE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.Penstock;
import java.io.DataInputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests a client that answers a close frame of the server at once. The endpoint must get the server's cause, not the client's code. */
class AnsweredCloseTest {

    @Test
    void anEndpointGetsCode1006AfterItsIdleTimeoutEvenIfTheClientAnswersFirst() throws Exception {
        TalkEndpoint.ENDS.clear();
        try (Penstock server = Penstock.builder()
                        .host("127.0.0.1")
                        .port(0)
                        .context("/", context -> context.initializer(WebSockets.endpoints(TalkEndpoint.class)))
                        .start();
                Socket client = RawHandshake.connect(server, "/talk/a")) {
            RawHandshake.sendText(client, "idle");
            DataInputStream in = new DataInputStream(client.getInputStream());
            assertEquals(0x88, in.readUnsignedByte(), "a close frame");
            byte[] payload = new byte[in.readUnsignedByte()];
            in.readFully(payload);
            assertEquals(1000, ByteBuffer.wrap(payload).getShort());
            client.getOutputStream().write(new byte[] {(byte) 0x88, (byte) 0x82, 0, 0, 0, 0, 0x03, (byte) 0xe8});
            client.shutdownOutput();
            in.readAllBytes(); // until the server has read the answer, and has closed the connection
            assertEquals("close 1006", TalkEndpoint.ENDS.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        }
    }
}

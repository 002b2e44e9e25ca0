package io.penstock.websocket;

import static io.penstock.testing.Patience.PATIENCE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.Penstock;
import java.io.DataInputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.glassfish.tyrus.core.frame.TyrusFrame;
import org.glassfish.tyrus.core.monitoring.ApplicationEventListener;
import org.glassfish.tyrus.core.monitoring.EndpointEventListener;
import org.glassfish.tyrus.core.monitoring.MessageEventListener;
import org.junit.jupiter.api.Test;

/**
 * Tests a client that answers a close frame before the server has notified the endpoint of the close. The endpoint must get the cause of the
 * server, and not the code in the client's answer.
 */
class AnsweredCloseTest {
    private static final CountDownLatch ANSWERED = new CountDownLatch(1);

    /** Holds the thread that closes a session. The close frame is sent, and the endpoint is not yet notified. */
    public static final class HoldingListener
            implements ApplicationEventListener, EndpointEventListener, MessageEventListener {
        @Override
        public void onFrameSent(TyrusFrame.FrameType type, long length) {
            try {
                if (type == TyrusFrame.FrameType.CLOSE) {
                    ANSWERED.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        @Override
        public EndpointEventListener onEndpointRegistered(String path, Class<?> type) {
            return this;
        }

        @Override
        public MessageEventListener onSessionOpened(String id) {
            return this;
        }

        @Override
        public void onApplicationInitialized(String name) {}

        @Override
        public void onApplicationDestroyed() {}

        @Override
        public void onEndpointUnregistered(String path) {}

        @Override
        public void onSessionClosed(String id) {}

        @Override
        public void onError(String id, Throwable failure) {}

        @Override
        public void onFrameReceived(TyrusFrame.FrameType type, long length) {}
    }

    @Test
    void anEndpointGetsCode1006AfterItsIdleTimeoutEvenIfTheClientAnswersFirst() throws Exception {
        TalkEndpoint.ENDS.clear();
        try (Penstock server = Penstock.builder()
                        .host("127.0.0.1")
                        .port(0)
                        .context("/", context -> context.initParam(
                                        ApplicationEventListener.APPLICATION_EVENT_LISTENER,
                                        HoldingListener.class.getName())
                                .initializer(WebSockets.endpoints(TalkEndpoint.class)))
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
            ANSWERED.countDown();
            assertEquals("close 1006", TalkEndpoint.ENDS.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        } finally {
            ANSWERED.countDown();
        }
    }
}

package io.penstock.websocket;

import static io.penstock.testing.Patience.PATIENCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.websocket.ClientEndpointConfig;
import jakarta.websocket.CloseReason;
import jakarta.websocket.ContainerProvider;
import jakarta.websocket.Endpoint;
import jakarta.websocket.EndpointConfig;
import jakarta.websocket.Session;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests asynchronous sends of a client whose server does not read. */
class SilentServerTest {
    private static final String KEY = "sec-websocket-key: ";

    /** More than the buffers of both sockets take. */
    private static final int LARGE = 16 * 1024 * 1024;

    private final CompletableFuture<Integer> closed = new CompletableFuture<>();
    private ServerSocket listener;
    private Socket server;
    private Session session;

    @BeforeEach
    void connect() throws Exception {
        listener = new ServerSocket();
        listener.setReceiveBufferSize(4096);
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        CompletableFuture<Socket> accepted = CompletableFuture.supplyAsync(this::accept);
        Endpoint endpoint = new Endpoint() {
            @Override
            public void onOpen(Session opened, EndpointConfig config) {}

            @Override
            public void onClose(Session of, CloseReason reason) {
                closed.complete(reason.getCloseCode().getCode());
            }
        };
        session = ContainerProvider.getWebSocketContainer()
                .connectToServer(
                        endpoint,
                        ClientEndpointConfig.Builder.create().build(),
                        URI.create("ws://127.0.0.1:" + listener.getLocalPort() + "/"));
        server = accepted.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    @AfterEach
    void disconnect() throws IOException {
        server.close();
        listener.close();
    }

    /** Answers the handshake. */
    private Socket accept() {
        try {
            Socket socket = listener.accept();
            InputStream in = socket.getInputStream();
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                head.append((char) in.read());
            }
            String key = head.toString()
                    .lines()
                    .filter(line -> line.regionMatches(true, 0, KEY, 0, KEY.length()))
                    .findFirst()
                    .orElseThrow()
                    .substring(KEY.length());
            String answer = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                    + "Sec-WebSocket-Accept: " + ServerHandshake.accept(key) + "\r\n\r\n";
            socket.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
            return socket;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Fails if the send waits. */
    private Future<Void> send(int bytes) throws Exception {
        return CompletableFuture.supplyAsync(() -> session.getAsyncRemote().sendBinary(ByteBuffer.allocate(bytes)))
                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private static Throwable failure(Future<Void> sent) {
        return assertThrows(ExecutionException.class, () -> sent.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .getCause();
    }

    /** Sends until a send fails at once. Returns its failure. */
    private Throwable sendUntilFailure() throws Exception {
        while (true) {
            Future<Void> sent = send(64 * 1024);
            if (sent.isDone()) {
                try {
                    sent.get();
                } catch (ExecutionException e) {
                    return e.getCause();
                }
            }
        }
    }

    private void readAll() {
        new Thread(() -> {
                    try {
                        server.getInputStream().transferTo(OutputStream.nullOutputStream());
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                })
                .start();
    }

    @Test
    void aSendWaitsForNothingAndFailsWhenTheQueueIsFullUntilTheServerReads() throws Exception {
        Throwable failed = sendUntilFailure();
        assertInstanceOf(IOException.class, failed);
        assertEquals("The peer does not read, and its queue of messages is full", failed.getMessage());
        assertTrue(session.isOpen());
        readAll();
        session.getBasicRemote().sendText("the last in the queue"); // waits for the server
        send(1).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void aMessageOfWhichNothingWasSentFailsAloneAfterItsTimeout() throws Exception {
        Future<Void> large = send(LARGE - 1024);
        session.getAsyncRemote().setSendTimeout(1);
        assertEquals("The message was not sent in 1 ms", failure(send(1)).getMessage());
        assertTrue(session.isOpen());
        assertFalse(large.isDone());
        readAll();
        large.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void aMessageOfWhichAPartWasSentEndsTheSessionAfterItsTimeout() throws Exception {
        long timeout = 50;
        do { // if no byte has left in time, the message fails alone
            timeout *= 2;
            session.getAsyncRemote().setSendTimeout(timeout);
            assertEquals(
                    "The message was not sent in " + timeout + " ms",
                    failure(send(LARGE)).getMessage());
        } while (server.getInputStream().available() == 0);
        assertEquals(1006, closed.get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
    }
}

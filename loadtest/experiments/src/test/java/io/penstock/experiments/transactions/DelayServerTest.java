package io.penstock.experiments.transactions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the {@link DelayServer}. The tests set the clock of the server. The server answers a call to {@code /call/N} after N milliseconds.
 */
class DelayServerTest {
    private static final int BODY = 10;
    private static final int ANSWER = DelayedCall.answer(BODY).length;

    private final AtomicLong now = new AtomicLong();
    /** The server releases a permit for each call that it receives. A test acquires a permit, and so waits for a call. */
    private final Semaphore receivedCalls = new Semaphore(0);

    private final List<Socket> sockets = new ArrayList<>();
    private DelayServer server;
    private CompletableFuture<Void> ended;

    @BeforeEach
    void startServer() throws IOException {
        server = new DelayServer(0, this::delay, BODY, now::get);
        ended = CompletableFuture.runAsync(() -> {
            try {
                server.run();
            } catch (IOException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    private long delay(long call) {
        receivedCalls.release();
        return TimeUnit.MILLISECONDS.toNanos(call);
    }

    @AfterEach
    void stopServer() throws Exception {
        for (Socket socket : sockets) {
            socket.close();
        }
        server.close();
        ended.get(60, TimeUnit.SECONDS);
    }

    @Test
    void eachCallIsAnsweredAfterItsDelayAndNotEarlier() throws Exception {
        Socket slow = sendCall(3000);
        Socket quick = sendCall(1000);
        moveTo(999);
        assertSilent(quick);
        moveTo(1001);
        assertAnswered(quick);
        assertSilent(slow);
        moveTo(3001);
        assertAnswered(slow);
    }

    @Test
    void aCallCanBeDelayedForLongerThanOneRotationOfTheTimerWheel() throws Exception {
        Socket socket = sendCall(20_000);
        for (int millis = 1000; millis < 20_000; millis += 1000) {
            moveTo(millis);
        }
        assertSilent(socket);
        moveTo(20_001);
        assertAnswered(socket);
    }

    @Test
    void manyCallersAreAnsweredAtTheSameTime() throws Exception {
        List<Socket> callers = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            callers.add(sendCall(500));
        }
        moveTo(501);
        for (Socket caller : callers) {
            assertAnswered(caller);
        }
    }

    @Test
    void aPipelinedCallIsAnsweredOnTheSameConnection() throws Exception {
        Socket socket = sendCall(10);
        send(socket, "GET /call/20 HTTP/1.1\r\nHost: x\r\n\r\n");
        moveTo(11);
        assertAnswered(socket);
        assertTrue(receivedCalls.tryAcquire(60, TimeUnit.SECONDS));
        moveTo(32);
        assertAnswered(socket);
    }

    @Test
    void aCallIsAnsweredEvenIfItsHeadArrivesByteByByte() throws Exception {
        Socket socket = connect();
        for (byte b : "GET /call/5 HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII)) {
            socket.getOutputStream().write(b);
        }
        assertTrue(receivedCalls.tryAcquire(60, TimeUnit.SECONDS));
        moveTo(6);
        assertAnswered(socket);
    }

    @Test
    void invalidRequestsAndClosedConnectionsDoNotAffectOtherCalls() throws Exception {
        Socket other = sendCall(50);
        Socket gone = sendCall(40);
        gone.close();
        Socket wrong = connect();
        send(wrong, "GET / HTTP/1.1\r\n\r\n");
        assertEquals(-1, wrong.getInputStream().read());
        moveTo(51);
        assertAnswered(other);
    }

    @Test
    void aDelayServerCannotUseAPortThatIsInUse() {
        assertThrows(IOException.class, () -> new DelayServer(server.port(), this::delay, BODY, now::get));
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setTcpNoDelay(true);
        sockets.add(socket);
        return socket;
    }

    /** Sends a call, and returns after the server has received the call. */
    private Socket sendCall(long millis) throws IOException, InterruptedException {
        Socket socket = connect();
        send(socket, "GET /call/" + millis + " HTTP/1.1\r\nHost: x\r\n\r\n");
        assertTrue(receivedCalls.tryAcquire(60, TimeUnit.SECONDS), "the server has not received the call");
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private void moveTo(long millis) {
        now.set(TimeUnit.MILLISECONDS.toNanos(millis));
        server.wakeUp();
    }

    private static void assertAnswered(Socket socket) throws IOException {
        socket.setSoTimeout(60_000);
        byte[] answer = socket.getInputStream().readNBytes(ANSWER);
        assertEquals(
                new String(DelayedCall.answer(BODY), StandardCharsets.US_ASCII),
                new String(answer, StandardCharsets.US_ASCII));
    }

    private static void assertSilent(Socket socket) throws IOException {
        socket.setSoTimeout(20);
        InputStream in = socket.getInputStream();
        assertThrows(SocketTimeoutException.class, in::read);
    }
}

package io.penstock.sample.slowclients;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the slow clients that visitors of the sample can start. In a run, slow clients are connected for a limited time. The connections
 * are real, and the test sets the clock.
 */
class SlowClientsTest {
    private final List<Runnable> later = new ArrayList<>();
    private long now;
    private ServerSocket server;
    private final SlowClients clients = new SlowClients((millis, task) -> later.add(task), () -> now);

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        clients.stop();
        server.close();
    }

    private void pass(int seconds) {
        now += TimeUnit.SECONDS.toNanos(seconds);
    }

    private boolean start(SlowKind kind, int count) throws IOException {
        return clients.start(kind, count, server.getLocalPort(), "/sample");
    }

    @Test
    void aRunIsStoppedAutomaticallyAndAPauseFollows() throws Exception {
        assertTrue(start(SlowKind.HEADS, 3));
        assertEquals(new SlowClients.Status(SlowClients.State.RUNNING, SlowKind.HEADS, 3, 20), clients.status());
        pass(19);
        assertEquals(1, clients.status().secondsLeft());
        pass(1);
        assertEquals(new SlowClients.Status(SlowClients.State.RESTING, SlowKind.HEADS, 0, 10), clients.status());
        assertFalse(start(SlowKind.HEADS, 3));
        pass(10);
        assertEquals(new SlowClients.Status(SlowClients.State.READY, SlowKind.HEADS, 0, 0), clients.status());
        assertTrue(start(SlowKind.HEADS, 3));
    }

    @Test
    void aSecondRunCannotStartDuringARunOrDuringThePauseAfterARun() throws Exception {
        assertTrue(start(SlowKind.HEADS, 2));
        assertFalse(start(SlowKind.UPLOADS, 2));
        assertEquals(2, clients.status().connected());
        clients.stop();
        assertFalse(start(SlowKind.HEADS, 2), "a run has started without a pause after the previous run");
    }

    @Test
    void theNumberOfClientsIsLimited() throws Exception {
        assertTrue(start(SlowKind.HEADS, 1_000_000));
        assertEquals(100, clients.status().connected());
        clients.stop();
        pass(10);
        assertTrue(start(SlowKind.READERS, 1_000_000));
        assertEquals(20, clients.status().connected());
    }

    @Test
    void anUploadClientSendsOneByteInEachScheduledTask() throws Exception {
        assertTrue(start(SlowKind.UPLOADS, 1));
        String head = "POST /sample/echo-body HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000\r\n\r\n";
        try (Socket connection = server.accept()) {
            assertEquals(head + "x", read(connection, head.length() + 1));
            for (int drop = 0; drop < 3; drop++) {
                later.remove(0).run();
                assertEquals("x", read(connection, 1));
            }
            assertEquals(0, connection.getInputStream().available());
        }
    }

    @Test
    void aDisconnectedClientIsNoLongerCounted() throws Exception {
        assertTrue(start(SlowKind.HEADS, 2));
        server.accept().close();
        awaitConnected(1);
    }

    /** Waits until {@code count} clients are connected. A client detects a closed connection only after a short time. */
    private void awaitConnected(int count) {
        long until = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        do {
            later.remove(0).run();
            assertTrue(System.nanoTime() < until, "the number of clients is still wrong: " + clients.status());
        } while (clients.status().connected() != count);
    }

    @Test
    void aRunDoesNotStartIfNoServerListens() throws Exception {
        int port = server.getLocalPort();
        server.close();
        assertThrows(IOException.class, () -> clients.start(SlowKind.HEADS, 2, port, ""));
        assertEquals(0, clients.status().connected());
    }

    @Test
    void anUnknownKindOfSlowClientIsReplacedByTheFirstKind() {
        assertEquals(SlowKind.READERS, SlowKind.named("readers"));
        assertEquals(SlowKind.HEADS, SlowKind.named("<script>"));
    }

    private static String read(Socket connection, int bytes) throws IOException {
        return new String(connection.getInputStream().readNBytes(bytes), StandardCharsets.US_ASCII);
    }
}

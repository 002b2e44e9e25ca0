package io.penstock;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * A client does not read its response, so a thread of the application is blocked in a write. Meanwhile the only worker must be free for
 * other requests.
 */
class BlockedWriterTest {
    private static final int SIZE = 8 << 20;

    private final BlockingQueue<IOException> seen = new LinkedBlockingQueue<>();
    private final BlockingQueue<Thread> writers = new LinkedBlockingQueue<>();
    private final BlockingQueue<AsyncContext> started = new LinkedBlockingQueue<>();

    /** Starts a thread that writes one large array, and then writes the array again. */
    private final class PushServlet extends HttpServlet {
        private final long timeout;

        PushServlet(long timeout) {
            this.timeout = timeout;
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            AsyncContext async = request.startAsync();
            async.setTimeout(timeout);
            Thread writer = new Thread(
                    () -> {
                        seen.add(assertThrows(IOException.class, () -> {
                            response.getOutputStream().write(new byte[SIZE]);
                            response.getOutputStream().write(new byte[SIZE]);
                        }));
                    },
                    "application");
            writer.setDaemon(true);
            writer.start();
            started.add(async);
            writers.add(writer);
        }
    }

    private static final class HelloServlet extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print("hello");
        }
    }

    private Penstock server(long timeout) throws StartException {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(1)
                .set("write-stall-timeout", "10m")
                .set("response-spool-limit", "0")
                .context("/", context -> context.servlet("push", new PushServlet(timeout), "/push")
                        .servlet("hello", new HelloServlet(), "/hello"))
                .start();
    }

    private static Socket get(Penstock server, String requestLine) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.setSoTimeout(60_000);
        socket.connect(new InetSocketAddress("127.0.0.1", server.port()));
        socket.getOutputStream()
                .write((requestLine + "\r\nHost: a\r\nConnection: close\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String all(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    private static void assertAnotherClientIsServed(Penstock server) throws IOException {
        try (Socket other = get(server, "GET /hello HTTP/1.1")) {
            assertTrue(all(other).endsWith("hello"));
        }
    }

    private void awaitWaitingWriter() throws InterruptedException {
        Thread writer = writers.poll(60, TimeUnit.SECONDS);
        assertNotNull(writer);
        await().until(() -> writer.getState() == Thread.State.WAITING);
    }

    @Test
    void aBlockedWriteFailsAtTheAsyncTimeoutAndOccupiesNoWorker() throws Exception {
        try (Penstock server = server(500);
                Socket slow = get(server, "GET /push HTTP/1.1")) {
            assertNotNull(seen.poll(60, TimeUnit.SECONDS), "the write is still blocked");
            assertAnotherClientIsServed(server);
            String response = all(slow);
            assertTrue(response.startsWith("HTTP/1.1 200 "), "the client did not get the head of the response");
            assertFalse(response.endsWith("0\r\n\r\n"), "the body ends like a complete body");
        }
    }

    @Test
    void theAsyncTimeoutResetsTheConnectionOfAnHttp10Response() throws Exception {
        try (Penstock server = server(500);
                Socket slow = get(server, "GET /push HTTP/1.0")) {
            assertNotNull(seen.poll(60, TimeUnit.SECONDS), "the write is still blocked");
            assertAnotherClientIsServed(server);
            assertThrows(IOException.class, () -> all(slow));
        }
    }

    @Test
    void anAsyncRequestOccupiesNoWorkerAndCompletesAfterItsBlockedWriteHasEnded() throws Exception {
        try (Penstock server = server(0);
                Socket slow = get(server, "GET /push HTTP/1.1")) {
            awaitWaitingWriter();
            started.take().complete();
            assertAnotherClientIsServed(server);
            assertAnotherClientIsServed(server);
            assertEquals(0, seen.size(), "the write failed before the client read");
            String response = all(slow);
            assertTrue(response.endsWith("\r\n0\r\n\r\n"), "the body is not complete");
            assertTrue(
                    response.length() > SIZE && response.length() < 2 * SIZE,
                    "the body must contain only the bytes of the first write");
            assertNotNull(seen.poll(60, TimeUnit.SECONDS), "the second write did not fail");
        }
    }

    @Test
    void aBlockedWriteFailsWhenTheServerStops() throws Exception {
        Penstock server = server(0);
        try (Socket slow = get(server, "GET /push HTTP/1.1")) {
            awaitWaitingWriter();
            Thread.currentThread().interrupt();
            server.close();
            assertTrue(Thread.interrupted());
            assertNotNull(seen.poll(60, TimeUnit.SECONDS), "the write is still blocked");
        }
    }
}

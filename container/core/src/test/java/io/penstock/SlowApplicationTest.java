package io.penstock;

import static io.penstock.PromptWaits.PATIENCE;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server with default settings, whose servlets wait for something. Many calls wait at the same time, and other servlets are served. */
class SlowApplicationTest {
    private static final int WORKERS = Math.max(240, 8 * Runtime.getRuntime().availableProcessors());

    /** One mapping alone gets seven eighths of the workers. */
    private static final int ALONE = WORKERS * 7 / 8;

    /** Eight paths without a response have a mapping on trial each. All others are one mapping, which gets seven eighths of the rest. */
    private static final int INVENTED = 8 + (WORKERS - 8) * 7 / 8;

    private final CountDownLatch end = new CountDownLatch(1);
    private final AtomicInteger waiting = new AtomicInteger();
    private final List<Socket> sockets = new ArrayList<>();
    private Penstock server;

    private final class Hanging extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if (request.getParameter("hang") != null) {
                waiting.incrementAndGet();
                try {
                    end.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
            response.getOutputStream().print("here");
        }
    }

    private static final class Quick extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getOutputStream().print("here");
        }
    }

    private void start(String pattern) throws StartException {
        server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .context("/", context -> context.servlet("hanging", new Hanging(), pattern)
                        .servlet("quick", new Quick(), "/quick"))
                .start();
    }

    @AfterEach
    void stop() throws Exception {
        end.countDown();
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private Socket send(String path) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        sockets.add(socket);
        socket.setSoTimeout((int) PATIENCE.toMillis());
        socket.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                        .getBytes(StandardCharsets.ISO_8859_1));
        return socket;
    }

    private String answer(Socket socket) throws IOException {
        String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        return all.substring(0, all.indexOf('\r'));
    }

    private void assertServed(String path) throws IOException {
        assertEquals("HTTP/1.1 200 OK", answer(send(path)));
    }

    @Test
    void asManyCallsWaitAsTheMappingMayHaveWorkersAndOtherServletsAreServed() throws Exception {
        start("/hanging");
        List<Socket> calls = new ArrayList<>();
        for (int i = 0; i < WORKERS + 50; i++) {
            calls.add(send("/hanging?hang"));
        }
        await().atMost(PATIENCE).until(() -> waiting.get() == ALONE);
        for (int i = 0; i < 20; i++) {
            assertServed("/quick");
        }
        assertEquals(ALONE, waiting.get());
        end.countDown();
        for (Socket call : calls) {
            assertEquals("HTTP/1.1 200 OK", answer(call));
        }
    }

    @Test
    void aSlowPathOfAServletDoesNotStopItsOtherPaths() throws Exception {
        start("/*");
        assertServed("/api/v1/report");
        assertServed("/api/v1/health");
        for (int i = 0; i < WORKERS + 50; i++) {
            send("/api/v1/report?hang");
        }
        await().atMost(PATIENCE).until(() -> waiting.get() == ALONE);
        for (int i = 0; i < 20; i++) {
            assertServed("/api/v1/health");
        }
        assertEquals(ALONE, waiting.get());
    }

    @Test
    void aClientThatInventsPathsDoesNotGetAllWorkers() throws Exception {
        start("/*");
        assertServed("/api/v1/health");
        for (int i = 0; i < WORKERS + 50; i++) {
            send("/path" + i + "?hang");
        }
        await().atMost(PATIENCE).until(() -> waiting.get() == INVENTED);
        for (int i = 0; i < 20; i++) {
            assertServed("/api/v1/health");
        }
        assertEquals(INVENTED, waiting.get());
    }
}

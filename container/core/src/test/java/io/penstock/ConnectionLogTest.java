package io.penstock;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.events.CloseCause;
import io.penstock.limits.Key;
import io.penstock.server.ConnectionLog;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** When a time limit is exceeded, the log names the configuration key of the limit. */
class ConnectionLogTest {
    private static final String GET_WAIT = "GET /wait HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final String BEGUN_BODY = "POST /wait HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab";

    private final RecordedLog log = new RecordedLog();
    private final CountDownLatch go = new CountDownLatch(1);

    private final class WaitingServlet extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws ServletException {
            try {
                go.await();
            } catch (InterruptedException e) {
                throw new ServletException(e);
            }
        }
    }

    private static final class AsyncServlet extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) {
            request.startAsync();
        }
    }

    private static final class LargeServlet extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getOutputStream().write(new byte[8 << 20]);
        }
    }

    /**
     * Starts a server with a limit of 200 ms for {@code key}, and checks that a line of the log matches {@code line}.
     *
     * @param clients the bytes that each client sends; afterwards the client sends no more, and keeps its connection open
     */
    private void assertLogs(Key key, String line, String... clients) throws Exception {
        try (Penstock server = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(1)
                .set(Key.SEND_BUFFER.id(), "4K")
                .set(key.id(), "200ms")
                .events(new ConnectionLog(log))
                .context("/", context -> context.servlet("waiting", new WaitingServlet(), "/wait")
                        .servlet("async", new AsyncServlet(), "/async")
                        .servlet("large", new LargeServlet(), "/large"))
                .start()) {
            try {
                connectAndAwaitLine(server, line, clients, 0);
            } finally {
                go.countDown();
            }
        }
    }

    private void connectAndAwaitLine(Penstock server, String line, String[] clients, int next) throws IOException {
        if (next == clients.length) {
            await().until(() -> log.lines().stream().anyMatch(written -> written.matches(line)));
            return;
        }
        try (Socket socket = new Socket("127.0.0.1", server.port())) {
            socket.getOutputStream().write(clients[next].getBytes(StandardCharsets.ISO_8859_1));
            connectAndAwaitLine(server, line, clients, next + 1);
        }
    }

    private static String timeout(Key key) {
        return "DEBUG Connection c\\d+: " + key.id() + " passed";
    }

    @Test
    void anExceededHeadTimeoutIsLogged() throws Exception {
        assertLogs(Key.HEAD_TIMEOUT, timeout(Key.HEAD_TIMEOUT), "GET /");
    }

    /**
     * The client may wait for a response before it sends the rest of its body. With the init parameter {@code penstock.streaming=true}, the
     * server calls the servlet before the whole body has arrived. So the first timeout is logged at level INFO with a hint to this
     * parameter. Later timeouts are logged at level DEBUG.
     */
    @Test
    void anExceededBodyStallTimeoutIsLogged() throws Exception {
        assertLogs(
                Key.BODY_STALL_TIMEOUT,
                "INFO Connection c\\d+: body-stall-timeout passed .* penstock.streaming=true.*",
                BEGUN_BODY);
        assertLogs(Key.BODY_STALL_TIMEOUT, timeout(Key.BODY_STALL_TIMEOUT), BEGUN_BODY, BEGUN_BODY);
    }

    @Test
    void anExceededBodyTotalTimeoutIsLogged() throws Exception {
        assertLogs(Key.BODY_TOTAL_TIMEOUT, timeout(Key.BODY_TOTAL_TIMEOUT), BEGUN_BODY);
    }

    @Test
    void anExceededKeepAliveTimeoutIsLogged() throws Exception {
        assertLogs(Key.KEEP_ALIVE_TIMEOUT, timeout(Key.KEEP_ALIVE_TIMEOUT), "GET /none HTTP/1.1\r\nHost: x\r\n\r\n");
    }

    @Test
    void anExceededWriteStallTimeoutIsLogged() throws Exception {
        assertLogs(Key.WRITE_STALL_TIMEOUT, timeout(Key.WRITE_STALL_TIMEOUT), "GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
    }

    @Test
    void anExceededServiceTimeoutIsLogged() throws Exception {
        assertLogs(Key.SERVICE_TIMEOUT, timeout(Key.SERVICE_TIMEOUT), GET_WAIT);
    }

    @Test
    void anExceededAsyncTimeoutIsLogged() throws Exception {
        assertLogs(Key.ASYNC_TIMEOUT, timeout(Key.ASYNC_TIMEOUT), "GET /async HTTP/1.1\r\nHost: x\r\n\r\n");
    }

    @Test
    void anExceededQueueAgeIsLogged() throws Exception {
        assertLogs(Key.QUEUE_AGE, "DEBUG Connection c\\d+: answered 503: queue-age", GET_WAIT, GET_WAIT);
    }

    @Test
    void theOpeningAndTheClosingOfAConnectionAreLogged() {
        ConnectionLog events = new ConnectionLog(log);
        events.opened("c7", new InetSocketAddress("127.0.0.1", 4711));
        events.closed("c7", CloseCause.CLIENT_CLOSED, "");
        events.closed("c8", CloseCause.REQUEST_TOO_LARGE, "body-limit");
        assertEquals(
                List.of(
                        "DEBUG Connection c7: opened by /127.0.0.1:4711",
                        "DEBUG Connection c7: closed: client-closed",
                        "DEBUG Connection c8: closed: request-too-large: body-limit"),
                log.lines());
    }
}

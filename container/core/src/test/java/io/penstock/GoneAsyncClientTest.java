package io.penstock;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.dispatch.RecordingAsyncListener;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** When the client of an asynchronous request disconnects, each listener of the request is notified immediately and exactly once. */
class GoneAsyncClientTest {
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final BlockingQueue<AsyncContext> started = new LinkedBlockingQueue<>();

    private AsyncContext start(HttpServletRequest request) {
        AsyncContext async = request.startAsync();
        async.setTimeout(0);
        async.addListener(new RecordingAsyncListener(heard));
        return async;
    }

    /** Starts asynchronous processing, and never completes the request. */
    private final class WaitingServlet extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            started.add(start(request));
        }
    }

    /** Writes an endless response in non-blocking mode. */
    private final class EndlessServlet extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            AsyncContext async = start(request);
            ServletOutputStream out = response.getOutputStream();
            out.setWriteListener(new WriteListener() {
                @Override
                public void onWritePossible() throws IOException {
                    while (out.isReady()) {
                        out.write(new byte[10_000]);
                    }
                    if (started.isEmpty()) {
                        started.add(async);
                    }
                }

                @Override
                public void onError(Throwable t) {
                    heard.add("write error");
                }
            });
        }
    }

    /** Dispatches each request to this servlet again, without end. */
    private final class LoopServlet extends HttpServlet {
        private int rounds;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) {
            AsyncContext async = request.startAsync();
            heard.clear();
            async.addListener(new RecordingAsyncListener(heard));
            if (started.isEmpty()) {
                started.add(async);
            }
            async.dispatch("/loop?x=" + ++rounds);
        }
    }

    private Penstock server() throws StartException {
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(1)
                .context("/", context -> context.servlet("waiting", new WaitingServlet(), "/waiting")
                        .servlet("endless", new EndlessServlet(), "/endless")
                        .servlet("loop", new LoopServlet(), "/loop"))
                .start();
    }

    private static Socket get(Penstock server, String path) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.connect(new InetSocketAddress("127.0.0.1", server.port()));
        socket.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static void reset(Socket socket) throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Test
    void theAsyncListenerIsNotifiedWhenTheClientDisconnects() throws Exception {
        try (Penstock server = server()) {
            Socket socket = get(server, "/waiting");
            AsyncContext async = started.poll(60, TimeUnit.SECONDS);
            assertNotNull(async);
            assertEquals(List.of(), heard);
            reset(socket);
            await().until(() -> heard.contains("complete"));
            assertEquals(List.of("error", "complete"), heard);
            assertThrows(IllegalStateException.class, async::complete);
            assertEquals(1, server.counters().get("clients-gone"));
        }
    }

    @Test
    void theWriteListenerIsNotifiedOfADisconnectBeforeTheAsyncListener() throws Exception {
        try (Penstock server = server()) {
            Socket socket = get(server, "/endless");
            assertNotNull(started.poll(60, TimeUnit.SECONDS));
            reset(socket);
            await().until(() -> heard.contains("complete"));
            assertEquals(List.of("write error", "error", "complete"), heard);
        }
    }

    @Test
    void anEndlessDispatchLoopEndsAfterAResetByTheClient() throws Exception {
        try (Penstock server = server()) {
            Socket socket = get(server, "/loop");
            assertNotNull(started.poll(60, TimeUnit.SECONDS));
            reset(socket);
            await().until(() -> heard.contains("complete"));
            assertEquals(List.of("error", "complete"), heard);
        }
    }

    /** After an orderly close, the client could still read. So the server dispatches the request some more times before the loop ends. */
    @Test
    void anEndlessDispatchLoopEndsAfterAnOrderlyCloseByTheClient() throws Exception {
        try (Penstock server = server()) {
            Socket socket = get(server, "/loop");
            assertNotNull(started.poll(60, TimeUnit.SECONDS));
            socket.close();
            await().until(() -> heard.contains("complete"));
            assertEquals(List.of("error", "complete"), heard);
        }
    }
}

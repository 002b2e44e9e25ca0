package io.penstock;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.Counter;
import io.penstock.metrics.Gauge;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that the server releases the compressor of a response in all cases: after a disconnect, a timeout, a failure of the application, or
 * the stop of the server.
 */
class CompressedResponseEndsTest {
    private static final int CLIENTS = Integer.getInteger("penstock.compression.leaving", 120);
    private static final byte[] NOISE = new byte[64 * 1024];

    static {
        new Random(1).nextBytes(NOISE);
    }

    @RegisterExtension
    final LeakCheck nothingLeft = new LeakCheck();

    @TempDir
    Path folder;

    /** The path selects what happens: an endless response, an incomplete response, a timeout, or a failure. */
    private static final class Endless extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.setContentType("text/plain");
            switch (request.getPathInfo()) {
                case "/blocking" -> {
                    for (long left = 1L << 40; left > 0; left -= NOISE.length) {
                        response.getOutputStream().write(NOISE);
                    }
                }
                case "/non-blocking" -> nonBlocking(request.startAsync(), response.getOutputStream());
                case "/waiting" -> {
                    request.startAsync().setTimeout(0);
                    response.getWriter().print("data: begun\n\n");
                    response.flushBuffer();
                }
                case "/timing-out" -> {
                    request.startAsync().setTimeout(20);
                    response.getWriter().print("data: begun\n\n");
                    response.flushBuffer();
                }
                case "/failing" -> {
                    response.getOutputStream().write(NOISE);
                    response.flushBuffer();
                    throw new IllegalStateException("the application fails");
                }
                default -> throw new IllegalArgumentException(request.getPathInfo());
            }
        }

        private static void nonBlocking(AsyncContext async, ServletOutputStream out) {
            async.setTimeout(0);
            out.setWriteListener(new WriteListener() {
                @Override
                public void onWritePossible() throws IOException {
                    while (out.isReady()) {
                        out.write(NOISE, 0, 10_000);
                    }
                }

                @Override
                public void onError(Throwable t) {
                    async.complete();
                }
            });
        }
    }

    private Penstock server() throws Exception {
        Path large = folder.resolve("large.txt");
        for (int i = 0; i < 2; i++) {
            Files.write(large, NOISE, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        }
        return Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(8)
                .set("compression", "on")
                .set("compressors", "1000")
                .set("max-streaming", "7")
                .context("/", context -> context.servlet("endless", new Endless(), "/endless/*")
                        .resources(folder))
                .start();
    }

    private static Socket get(Penstock server, String path) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4096);
        socket.setSoTimeout((int) PromptWaits.PATIENCE.toMillis());
        socket.connect(new InetSocketAddress("127.0.0.1", server.port()));
        socket.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static long compressing(Penstock server) {
        return server.gauges().get(Gauge.COMPRESSORS.id());
    }

    @Test
    void compressorsAreReleasedWhenClientsDisconnect() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<String> paths = List.of(
                "/endless/blocking", "/endless/non-blocking", "/endless/waiting", "/endless/failing", "/large.txt");
        try (Penstock server = server()) {
            for (int round = 0; round < CLIENTS / 6; round++) {
                List<Socket> clients = new ArrayList<>();
                for (int i = 0; i < 6; i++) {
                    String path = paths.get(random.nextInt(paths.size()));
                    Socket client = get(server, path);
                    clients.add(client);
                    // Without a reset, the server notices the disconnect only at its next write. The servlet does not
                    // write again at /endless/waiting, so the client always resets such a connection.
                    client.setSoLinger(path.equals("/endless/waiting") || random.nextBoolean(), 0);
                    if (random.nextInt(4) > 0) {
                        int read = client.getInputStream().readNBytes(1 + random.nextInt(60)).length;
                        assertTrue(read > 0, "the client received no byte; seed " + seed);
                    }
                }
                for (Socket client : clients) {
                    client.close();
                }
            }
            await("seed " + seed).until(() -> compressing(server) == 0);
            nothingLeft.awaitIn(server);
            assertEquals(0, server.counters().get(Counter.COMPRESSORS_BUSY.id()));
        }
    }

    @Test
    void compressorsAreReleasedWhenAsynchronousRequestsTimeOut() throws Exception {
        try (Penstock server = server()) {
            for (int i = 0; i < 5; i++) {
                try (Socket client = get(server, "/endless/timing-out")) {
                    String answer = new String(client.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
                    assertTrue(answer.contains("Content-Encoding: gzip"), answer);
                }
            }
            await().until(() -> compressing(server) == 0);
        }
    }

    @Test
    void compressorsAreReleasedWhenTheServerStops() throws Exception {
        Penstock server = server();
        try (Socket blocking = get(server, "/endless/blocking")) {
            assertEquals(20, blocking.getInputStream().readNBytes(20).length);
            await().until(() -> compressing(server) == 1);
            Thread closing = new Thread(server::close);
            closing.start();
            // The interrupt makes close() stop waiting for running requests.
            closing.interrupt();
            closing.join(PromptWaits.PATIENCE.toMillis());
            await().until(() -> compressing(server) == 0);
        }
    }
}

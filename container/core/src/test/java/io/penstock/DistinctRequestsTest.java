package io.penstock;

import static io.penstock.PromptWaits.PATIENCE;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.Counter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sends many requests with different paths, queries and field values. The metrics, the access log and the event stream of the admin port
 * are in use. The used heap must not grow. {@code -Dpenstock.distinct=1000000} sets the number of requests.
 */
class DistinctRequestsTest {
    private static final int REQUESTS = Integer.getInteger("penstock.distinct", 40_000);
    private static final int WARM_UP_REQUESTS = 10_000;
    private static final int BATCH_SIZE = 100;
    private static final long ALLOWED_GROWTH = 4L << 20;
    private static final int LOG_RING = 1024;

    @RegisterExtension
    final LeakCheck nothingLeft = new LeakCheck();

    @TempDir
    Path folder;

    private final byte[] read = new byte[32 << 10];
    private InputStream lines;
    private int written;

    /** A servlet whose response has no body. */
    private static final class Nothing extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) {
            response.setContentLength(0);
        }
    }

    private static String request(int number) {
        String hex = Integer.toHexString(number * 0x9E3779B9);
        return "GET /a/" + number + "/" + hex + "?q=" + number + " HTTP/1.1\r\nHost: h" + hex
                + "\r\nUser-Agent: agent \"" + hex
                + "\\\u00ff\r\nReferer: http://" + hex + "/\r\nX-" + hex + ": " + number + "\r\nCookie: JSESSIONID="
                + hex
                + "\r\n\r\n";
    }

    /** Never sends so many requests that the access log has no room for their lines, however slowly the log is written. */
    private void send(Socket socket, int from, int to) throws IOException {
        for (int begin = from; begin < to; begin += BATCH_SIZE) {
            int waiting = begin + BATCH_SIZE - LOG_RING / 2;
            await().atMost(PATIENCE).until(() -> written() >= waiting);
            StringBuilder some = new StringBuilder();
            for (int number = begin; number < begin + BATCH_SIZE; number++) {
                some.append(request(number));
            }
            socket.getOutputStream().write(some.toString().getBytes(StandardCharsets.ISO_8859_1));
            awaitResponses(socket.getInputStream(), BATCH_SIZE);
        }
    }

    /** The number of lines in the access log. */
    private int written() throws IOException {
        for (int length = lines.read(read); length > 0; length = lines.read(read)) {
            for (int i = 0; i < length; i++) {
                written += read[i] == '\n' ? 1 : 0;
            }
        }
        return written;
    }

    /** Reads {@code count} responses. The responses have no bodies. */
    private static void awaitResponses(InputStream in, int count) throws IOException {
        byte[] end = {'\r', '\n', '\r', '\n'};
        byte[] read = new byte[32 << 10];
        int matched = 0;
        int heads = 0;
        while (heads < count) {
            int length = in.read(read);
            if (length < 0) {
                throw new EOFException("the connection ended after " + heads + " responses");
            }
            for (int i = 0; i < length; i++) {
                matched = read[i] == end[matched] ? matched + 1 : read[i] == '\r' ? 1 : 0;
                if (matched == end.length) {
                    matched = 0;
                    heads++;
                }
            }
        }
    }

    @Test
    void distinctRequestsDoNotIncreaseTheUsedMemory() throws Exception {
        Path log = folder.resolve("access.log");
        try (Penstock server = Penstock.builder()
                        .host("127.0.0.1")
                        .port(0)
                        .workers(2)
                        .set("admin-port", "0")
                        .set("access-log", log.toString())
                        .set("access-log-ring", Integer.toString(LOG_RING))
                        .set("server-timing", "on")
                        .context("/", context -> context.servlet("nothing", new Nothing(), "/*"))
                        .start();
                AdminPort.Following board = AdminPort.of(server).follow();
                Socket socket = new Socket("127.0.0.1", server.port())) {
            lines = Files.newInputStream(log);
            board.next();
            socket.setTcpNoDelay(true);
            send(socket, 0, WARM_UP_REQUESTS);
            Set<String> series = AdminPort.of(server).metrics().samples().keySet();
            long before = LiveObjects.usedHeap();
            send(socket, WARM_UP_REQUESTS, REQUESTS);
            board.next();
            long after = LiveObjects.usedHeap();
            assertEquals(series, AdminPort.of(server).metrics().samples().keySet());
            assertTrue(
                    after - before < ALLOWED_GROWTH,
                    () -> "used heap in bytes: " + before + " before, " + after + " after");
            assertEquals(0, server.counters().get(Counter.ACCESS_LOG_DROPPED.id()));
        }
        lines.close();
        try (Stream<String> all = Files.lines(log, StandardCharsets.US_ASCII)) {
            assertEquals(REQUESTS, all.filter(line -> line.contains("\" 200 ")).count());
        }
    }
}

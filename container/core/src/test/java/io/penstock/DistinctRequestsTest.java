package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.Counter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
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
 * Sends requests with different paths, queries and field values to a server that measures, logs and shows requests. The used memory of the
 * server must not grow. {@code -Dpenstock.distinct=1000000} sets the number of requests.
 */
class DistinctRequestsTest {
    private static final int REQUESTS = Integer.getInteger("penstock.distinct", 40_000);
    private static final int FIRST = 10_000;
    private static final int AT_ONCE = 100;
    private static final long NOISE = 4L << 20;

    @RegisterExtension
    final NothingLeft nothingLeft = new NothingLeft();

    @TempDir
    Path folder;

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

    private static void send(Socket socket, int from, int to) throws IOException {
        for (int begin = from; begin < to; begin += AT_ONCE) {
            StringBuilder some = new StringBuilder();
            for (int number = begin; number < begin + AT_ONCE; number++) {
                some.append(request(number));
            }
            socket.getOutputStream().write(some.toString().getBytes(StandardCharsets.ISO_8859_1));
            awaitHeads(socket.getInputStream(), AT_ONCE);
        }
    }

    /** Reads {@code count} heads of responses without bodies. */
    private static void awaitHeads(InputStream in, int count) throws IOException {
        byte[] end = {'\r', '\n', '\r', '\n'};
        byte[] read = new byte[32 << 10];
        int matched = 0;
        int heads = 0;
        while (heads < count) {
            int length = in.read(read);
            if (length < 0) {
                throw new EOFException("after " + heads + " answers");
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

    /** Returns the bytes of the heap that are in use after garbage collections. */
    private static long held() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) { // one collection can leave garbage that the next collection removes
            System.gc();
            least = Math.min(
                    least,
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        return least;
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
                        .set("server-timing", "on")
                        .context("/", context -> context.servlet("nothing", new Nothing(), "/*"))
                        .start();
                AdminPort.Following board = AdminPort.of(server).follow();
                Socket socket = new Socket("127.0.0.1", server.port())) {
            board.next();
            socket.setTcpNoDelay(true);
            send(socket, 0, FIRST);
            Set<String> series = AdminPort.of(server).metrics().samples().keySet();
            long before = held();
            send(socket, FIRST, REQUESTS);
            board.next();
            long after = held();
            assertEquals(series, AdminPort.of(server).metrics().samples().keySet());
            assertTrue(after - before < NOISE, () -> before + " bytes before, " + after + " after");
            assertEquals(0, server.counters().get(Counter.ACCESS_LOG_DROPPED.id()));
        }
        try (Stream<String> lines = Files.lines(log, StandardCharsets.US_ASCII)) {
            assertEquals(
                    REQUESTS, lines.filter(line -> line.contains("\" 200 ")).count());
        }
    }
}

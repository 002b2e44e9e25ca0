package io.penstock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.metrics.Gauge;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The budget of heads counts what the heads of requests take in the heap, with everything that the server makes of them. The test compares
 * the gauge {@code head-bytes} with the growth of the heap.
 */
@Tag("alone")
public final class HeadMemoryTest {
    private static final int CLIENTS = 500;
    private static final int PIPELINED = 16;

    /** The heap may grow by this much for other reasons, for example for caches. */
    private static final long OTHER_GROWTH = 150_000;

    /** The collector leaves gaps at the ends of its regions, which it counts as used: a fiftieth for arrays of 32 KB. */
    private static final int GAPS = 50;

    private final CountDownLatch go = new CountDownLatch(1);

    /** Answers when the test says so. */
    private final class Gate extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            try {
                go.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }

    /**
     * A server with one worker, which keeps what clients make it hold until the test ends.
     *
     * @param events {@code followed} if the server follows the events of each request
     */
    public static Penstock.Builder builder(String events) {
        Penstock.Builder builder = Penstock.builder()
                .host("127.0.0.1")
                .port(0)
                .workers(1)
                .set("reactors", "1")
                .set("queue", "100000")
                .set("overload-after", "1h")
                .set("queue-age", "1h")
                .set("head-budget", "1g");
        return "followed".equals(events) ? builder.set("server-timing", "on") : builder;
    }

    /** Waits until the only reactor has read all bytes that were sent before. It reads them at the latest in the round of the first probe. */
    private static void settle(Penstock server) throws IOException {
        for (int probe = 0; probe < 2; probe++) {
            assertEquals(404, RawExchange.get(server, "/no-context").status());
        }
    }

    private static void send(Socket client, String text) throws IOException {
        OutputStream out = client.getOutputStream();
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
    }

    private static String request(String kind) {
        String host = " HTTP/1.1\r\nHost: localhost\r\n";
        String path = "/app/gate/";
        return switch (kind) {
            case "none" -> "";
            case "tiny" -> "GET " + path + host + "\r\n";
            case "half" -> "GET " + path + host + "User-Agent: half";
            case "half large" -> "GET " + path + "a;a".repeat(2600) + host + "X: " + "y".repeat(9000);
            case "parameters" -> "GET " + path + "a" + ";a".repeat(4000) + host + "\r\n";
            case "few parameters" -> "GET " + path + "a" + ";a".repeat(900) + host + "\r\n";
            case "segments" -> "GET " + path + "a" + "/a".repeat(4000) + host + "\r\n";
            case "removed" -> "GET " + path + "a" + "/./a".repeat(2000) + host + "\r\n";
            case "wide" -> "GET " + path + "%E2%82%AC" + "a".repeat(8000) + host + "\r\n";
            case "query" -> "GET " + path + "?" + "a=b&".repeat(2000) + host + "\r\n";
            case "absolute" -> "GET http://localhost" + path + "?" + "a=b&".repeat(2000) + host + "\r\n";
            case "fields" -> "GET " + path + host + "a:\r\n".repeat(99) + "\r\n";
            case "body" -> "POST " + path + host + "Content-Length: 10\r\n\r\n";
            case "chunked" -> "POST " + path + host + "Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n";
            case "parameters and body" ->
                "POST " + path + "a" + ";a".repeat(4000) + host + "Content-Length: 10\r\n\r\n";
            case "extension" -> "POST " + path + host + "Transfer-Encoding: chunked\r\n\r\n5;" + "a;".repeat(490);
            case "trailers" ->
                "POST " + path + host + "Transfer-Encoding: chunked\r\n\r\n0\r\n" + "a:\r\n".repeat(98) + "X: "
                        + "y".repeat(7000);
            case "pipelined" -> "GET " + path + host + "\r\n" + request("tiny").repeat(PIPELINED);
            case "pipelined large" -> request("tiny") + request("parameters").repeat(2);
            case "canned" -> request("tiny") + ("GET /none" + host + "X: " + "y".repeat(8000) + "\r\n\r\n").repeat(2);
            case "malformed" -> request("tiny") + "GET " + path + "?" + "a".repeat(8000) + host + "X Y: z\r\n";
            case "refused" ->
                request("tiny") + "GET " + path + "/../../../.." + host + "X: " + "y".repeat(9000) + "\r\n\r\n";
            default -> throw new IllegalArgumentException(kind);
        };
    }

    @ParameterizedTest
    @CsvSource({
        "none, ",
        "tiny, ",
        "tiny, followed",
        "half, ",
        "half large, ",
        "parameters, ",
        "few parameters, ",
        "segments, ",
        "wide, ",
        "query, ",
        "absolute, followed",
        "fields, ",
        "body, ",
        "body, followed",
        "chunked, ",
        "parameters and body, ",
        "extension, ",
        "trailers, ",
        "pipelined, followed",
        "pipelined large, ",
        "canned, followed",
        "malformed, followed",
        "refused, followed",
    })
    void theBudgetCountsAtLeastWhatHeadsTakeInTheHeap(String kind, String events) throws Exception {
        List<Socket> clients = new ArrayList<>();
        try (Penstock server = builder(events)
                .context("/app", context -> context.servlet("gate", new Gate(), "/gate/*"))
                .start()) {
            try {
                clients.add(new Socket("127.0.0.1", server.port()));
                send(clients.get(0), request("tiny"));
                for (int i = 0; i < CLIENTS; i++) {
                    clients.add(new Socket("127.0.0.1", server.port()));
                }
                settle(server);
                long heapBefore = LiveObjects.usedHeap();
                long countedBefore = server.gauges().get(Gauge.HEAD_BYTES.id());
                for (Socket client : clients.subList(1, clients.size())) {
                    send(client, request(kind));
                }
                settle(server);
                long counted = server.gauges().get(Gauge.HEAD_BYTES.id()) - countedBefore;
                long grown = LiveObjects.usedHeap() - heapBefore;
                assertTrue(
                        grown <= counted + counted / GAPS + OTHER_GROWTH,
                        () -> kind + ": the heap grew by " + grown + ", but " + counted + " were counted");
            } finally {
                go.countDown();
                for (Socket client : clients) {
                    client.close();
                }
            }
        }
    }
}

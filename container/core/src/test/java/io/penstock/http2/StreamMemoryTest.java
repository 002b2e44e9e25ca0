package io.penstock.http2;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.HeadMemoryTest;
import io.penstock.LiveObjects;
import io.penstock.Penstock;
import io.penstock.metrics.Gauge;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The budget of heads counts what streams take in the heap until they are over, also while their responses wait for the client. A client may
 * have 100 streams, and need send nothing to keep them.
 */
@Tag("alone")
final class StreamMemoryTest {
    private static final int CLIENTS = 20;
    private static final int STREAMS = 100;

    /** The heap may grow by this much for other reasons, for example for caches. */
    private static final long OTHER_GROWTH = 200_000;

    /** The collector leaves gaps at the ends of its regions, which it counts as used: a fiftieth for arrays of 8 KB. */
    private static final int GAPS = 50;

    private static final String FIELD = "x".repeat(8_000);

    private final CountDownLatch go = new CountDownLatch(1);
    private final AtomicInteger answered = new AtomicInteger();

    @TempDir
    Path folder;

    private final class All extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if (request.getPathInfo().equals("/wait")) {
                try {
                    go.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
            if (request.getPathInfo().equals("/fields")) {
                response.setHeader("x-field", FIELD);
                response.setContentLength(0);
            } else if (request.getPathInfo().equals("/trailers")) {
                response.setTrailerFields(() -> Map.of("x-field", FIELD));
            }
            if (!request.getPathInfo().equals("/fields")) {
                response.getOutputStream().print("hello");
            }
            answered.incrementAndGet();
        }
    }

    /** The clients of all streams have closed their windows. */
    @ParameterizedTest
    @CsvSource({
        "/app/wait, ",
        "/app/wait, followed",
        "/app/hello, ",
        "/app/hello, followed",
        "/app/hello/with/a/path/that/is/somewhat/longer?and=with&a=query, ",
        "/none, ",
        "/none, followed",
        "/files/big.bin, ",
    })
    void theBudgetCountsAtLeastWhatStreamsTakeInTheHeap(String path, String events) throws Exception {
        Files.write(folder.resolve("big.bin"), new byte[2_000_000]);
        List<Http2Client> clients = new ArrayList<>();
        try (Penstock server = HeadMemoryTest.builder(events)
                .set("write-stall-timeout", "1h")
                .set("h2c", "on")
                .context("/app", context -> context.servlet("all", new All(), "/*"))
                .war("/files", folder)
                .start()) {
            try {
                for (int i = 0; i <= CLIENTS; i++) {
                    clients.add(Http2Client.connect(server.port(), Frame.INITIAL_WINDOW_SIZE, 0));
                }
                use(clients.subList(0, 1), path); // what the first requests make
                for (Http2Client client : clients) {
                    client.roundTrip();
                }
                long heapBefore = LiveObjects.usedHeap();
                long countedBefore = counted(server);
                use(clients.subList(1, clients.size()), path);
                long counted = counted(server) - countedBefore;
                long grown = LiveObjects.usedHeap() - heapBefore;
                assertTrue(
                        grown <= counted + OTHER_GROWTH,
                        () -> path + ": the heap grew by " + grown + ", but " + counted + " were counted");
            } finally {
                go.countDown();
                for (Http2Client client : clients) {
                    client.close();
                }
            }
        }
    }

    /** The clients do not read, and have filled their sockets. */
    @ParameterizedTest
    @CsvSource({"/app/fields, ", "/app/fields, followed", "/app/trailers, "})
    void theBudgetCountsTheHeadsOfResponsesWhoseClientsDoNotRead(String path, String events) throws Exception {
        Files.write(folder.resolve("big.bin"), new byte[2_000_000]);
        List<Http2Client> clients = new ArrayList<>();
        try (Penstock server = HeadMemoryTest.builder(events)
                .set("write-stall-timeout", "1h")
                .set("send-buffer", "4K")
                .set("h2c", "on")
                .context("/app", context -> context.servlet("all", new All(), "/*"))
                .war("/files", folder)
                .start()) {
            try {
                Http2Client first = Http2Client.connect(server.port());
                clients.add(first);
                first.answer(first.get(path)); // what the first request makes
                for (int i = 0; i < CLIENTS; i++) {
                    Http2Client client = Http2Client.slow(server.port());
                    clients.add(client);
                    client.get("/files/big.bin");
                    client.get("/app/hello");
                }
                settle(server, 1 + CLIENTS);
                long heapBefore = LiveObjects.usedHeap();
                long countedBefore = counted(server);
                for (Http2Client client : clients.subList(1, clients.size())) {
                    for (int i = 2; i < STREAMS; i++) {
                        client.get(path);
                    }
                }
                settle(server, 1 + CLIENTS * (STREAMS - 1));
                long counted = counted(server) - countedBefore;
                long grown = LiveObjects.usedHeap() - heapBefore;
                assertTrue(
                        grown <= counted + counted / GAPS + OTHER_GROWTH,
                        () -> path + ": the heap grew by " + grown + ", but " + counted + " were counted");
            } finally {
                for (Http2Client client : clients) {
                    client.close();
                }
            }
        }
    }

    /** So many requests have been answered. */
    private void settle(Penstock server, int requests) {
        await().until(() -> answered.get() == requests && server.gauges().get(Gauge.WORKERS_BUSY.id()) == 0);
    }

    private static long counted(Penstock server) {
        return server.gauges().get(Gauge.HEAD_BYTES.id());
    }

    private static void use(List<Http2Client> clients, String path) throws IOException {
        for (Http2Client client : clients) {
            int last = 0;
            for (int i = 0; i < STREAMS; i++) {
                last = client.get(path);
            }
            client.roundTrip();
            if (!path.equals("/app/wait")) {
                for (int stream = 1; stream <= last; stream += 2) {
                    while (client.of(stream).heads.isEmpty()) {
                        client.read();
                    }
                    client.forget(stream);
                }
            }
        }
    }
}

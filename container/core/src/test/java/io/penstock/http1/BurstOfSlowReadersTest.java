package io.penstock.http1;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import io.penstock.metrics.Gauge;
import io.penstock.spool.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Many clients request large responses at the same time and do not read them. So workers write these responses to disk and wait for the
 * disk. Meanwhile, the server must answer normal requests.
 */
final class BurstOfSlowReadersTest {
    private static final int WORKERS = 4;

    /**
     * At most this number of workers may run requests to disk-bound paths. A path is disk-bound if its last responses waited for the disk.
     */
    private static final int MAX_SPOOLING_WORKERS = 2;

    private static final int READERS = 12;
    private static final int SIZE = 1_000_000;

    private final AtomicInteger begun = new AtomicInteger();
    private final Semaphore leave = new Semaphore(0);
    private volatile CountDownLatch diskWrites = new CountDownLatch(1);
    private final SimulatedDisk disk = new SimulatedDisk().beforeWrite(this::awaitDisk);

    private final Site site = new Site().on("/large", exchange -> {
        begun.incrementAndGet();
        exchange.response().head(new ResponseHead(200, Fields.EMPTY, SIZE));
        exchange.response().write(ByteBuffer.allocate(SIZE), true);
        leave.acquire();
    });

    private void awaitDisk() {
        try {
            diskWrites.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private WireServer server() throws IOException {
        WireConfig config = new WireConfig()
                .workers(WORKERS)
                .maxSpooling(MAX_SPOOLING_WORKERS)
                .sendBuffer(4096);
        return new WireServer(config, site, disk);
    }

    private static List<RawClient> readers(WireServer server, int count) throws IOException {
        List<RawClient> readers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            readers.add(server.connectWithReceiveBuffer(4096).send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n"));
        }
        return readers;
    }

    private static void assertAnswered(WireServer server) throws IOException {
        try (RawClient client = server.connect()) {
            client.send("GET /other HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals("GET /other\n", client.answer().body());
        }
    }

    private static long valueOf(WireServer server, Gauge gauge) {
        return server.transport.gauges().value(gauge);
    }

    private void assertAllResponsesArrive(WireServer server, List<RawClient> readers) throws IOException {
        diskWrites.countDown();
        leave.release(readers.size());
        for (RawClient reader : readers) {
            reader.skipAnswer(SIZE);
            reader.close();
        }
        server.awaitNothingHeld();
        await().until(() -> valueOf(server, Gauge.WORKERS_SPOOLING) == 0);
    }

    /**
     * In the first burst, all workers serve requests to {@code /large}, and further requests to {@code /large} are queued. The first free
     * worker must serve the normal request before the queued requests.
     */
    @Test
    void aNormalRequestIsServedBeforeTheQueuedRequestsForLargeResponses() throws Exception {
        try (WireServer server = server()) {
            List<RawClient> readers = readers(server, READERS);
            await().until(() -> valueOf(server, Gauge.WORKERS_SPOOLING) == WORKERS);
            assertEquals(READERS - WORKERS, valueOf(server, Gauge.QUEUED));
            try (RawClient normal = server.connect()) {
                normal.send("GET /other HTTP/1.1\r\nHost: x\r\n\r\n");
                diskWrites.countDown();
                leave.release();
                assertEquals("GET /other\n", normal.answer().body());
            }
            assertEquals(WORKERS, begun.get(), "requests to /large that ran before the normal request");
            assertAnswered(server);
            assertAllResponsesArrive(server, readers);
        }
    }

    /**
     * After the first burst, the path of the large responses is disk-bound. In the next burst, only {@link #MAX_SPOOLING_WORKERS} workers
     * serve requests to this path. The other workers answer normal requests, although the disk is blocked.
     */
    @Test
    void onlySomeWorkersServeLargeResponsesInTheNextBurst() throws Exception {
        try (WireServer server = server()) {
            List<RawClient> first = readers(server, WORKERS);
            await().until(() -> valueOf(server, Gauge.WORKERS_SPOOLING) == WORKERS);
            assertAllResponsesArrive(server, first);
            diskWrites = new CountDownLatch(1);
            List<RawClient> readers = readers(server, READERS);
            await().until(() -> valueOf(server, Gauge.QUEUED) == READERS - MAX_SPOOLING_WORKERS);
            for (int i = 0; i < 20; i++) {
                assertAnswered(server);
            }
            assertEquals(MAX_SPOOLING_WORKERS, valueOf(server, Gauge.WORKERS_SPOOLING));
            assertEquals(WORKERS + MAX_SPOOLING_WORKERS, begun.get());
            assertAllResponsesArrive(server, readers);
        }
    }
}

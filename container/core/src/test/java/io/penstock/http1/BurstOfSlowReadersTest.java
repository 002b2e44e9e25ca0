package io.penstock.http1;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import io.penstock.limits.Gauge;
import io.penstock.spool.HandDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Many clients request large responses at the same time and do not read them. So workers wait for the disk. Meanwhile normal requests must
 * be answered.
 */
final class BurstOfSlowReadersTest {
    private static final int WORKERS = 4;
    private static final int SHARE = 2;
    private static final int READERS = 12;
    private static final int SIZE = 1_000_000;

    private final AtomicInteger begun = new AtomicInteger();
    private final Semaphore leave = new Semaphore(0);
    private volatile CountDownLatch diskWrites = new CountDownLatch(1);
    private final HandDisk disk = new HandDisk().beforeWrite(this::awaitDisk);

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
        WireConfig config = new WireConfig().workers(WORKERS).maxSpooling(SHARE).sendBuffer(4096);
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

    private static long level(WireServer server, Gauge gauge) {
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
        await().until(() -> level(server, Gauge.WORKERS_SPOOLING) == 0);
    }

    /**
     * All workers have begun large responses before a worker has to wait for the disk. The first worker that becomes free serves the normal
     * request.
     */
    @Test
    void aRequestIsServedDuringTheFirstBurst() throws Exception {
        try (WireServer server = server()) {
            List<RawClient> readers = readers(server, READERS);
            await().until(() -> level(server, Gauge.WORKERS_SPOOLING) == WORKERS);
            assertEquals(READERS - WORKERS, level(server, Gauge.QUEUED));
            try (RawClient normal = server.connect()) {
                normal.send("GET /other HTTP/1.1\r\nHost: x\r\n\r\n");
                diskWrites.countDown();
                leave.release();
                assertEquals("GET /other\n", normal.answer().body());
            }
            assertEquals(WORKERS, begun.get(), "large requests that ran before the normal request");
            assertAnswered(server);
            assertAllResponsesArrive(server, readers);
        }
    }

    /** The disk writes nothing. Normal requests are answered without delay. */
    @Test
    void requestsAreServedDuringTheNextBurst() throws Exception {
        try (WireServer server = server()) {
            List<RawClient> first = readers(server, WORKERS);
            await().until(() -> level(server, Gauge.WORKERS_SPOOLING) == WORKERS);
            assertAllResponsesArrive(server, first);
            diskWrites = new CountDownLatch(1);
            List<RawClient> readers = readers(server, READERS);
            await().until(() -> level(server, Gauge.QUEUED) == READERS - SHARE);
            for (int i = 0; i < 20; i++) {
                assertAnswered(server);
            }
            assertEquals(SHARE, level(server, Gauge.WORKERS_SPOOLING));
            assertEquals(WORKERS + SHARE, begun.get());
            assertAllResponsesArrive(server, readers);
        }
    }
}

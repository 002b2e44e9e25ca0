package io.penstock.http1;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.limits.Counter;
import io.penstock.pipe.Segment;
import io.penstock.pipe.SegmentPool;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** While enough memory is free, large bodies stay in memory. When memory is short, large bodies are written to disk. */
final class GrowingPipesTest {
    private static final int CAPACITY = 1 << 20;
    private static final int ASSURED = 4096;
    private static final int LENGTH = 300_000;
    private static final String LARGE = "GET /large HTTP/1.1\r\nHost: x\r\n\r\n";

    private final AtomicInteger dispatched = new AtomicInteger();

    private final Site site = new Site()
            .on("/a", exchange -> {
                dispatched.incrementAndGet();
                Site.echo(exchange);
            })
            .on("/large", exchange -> Site.text(exchange, body()));

    private static WireConfig config() {
        return new WireConfig()
                .workers(1)
                .pipes(CAPACITY, ASSURED)
                .budget(16 << 20)
                .sendBuffer(4096);
    }

    private static String body() {
        StringBuilder body = new StringBuilder();
        for (int i = 0; body.length() < LENGTH; i++) {
            body.append(i).append(' ');
        }
        return body.substring(0, LENGTH);
    }

    private static String head() {
        return "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: " + LENGTH + "\r\n\r\n";
    }

    /**
     * Uses half of the memory budget. Then the buffers between clients and workers (pipes) must not grow further. Returns the segments in
     * use.
     */
    private static List<Segment> useHalf(SegmentPool pool) {
        List<Segment> taken = new ArrayList<>();
        while (pool.hasRoomForOutput()) {
            taken.add(Objects.requireNonNull(pool.tryAcquire()));
        }
        return taken;
    }

    @Test
    void anUploadStaysInMemoryIfEnoughMemoryIsFree() throws Exception {
        String body = body();
        try (WireServer server = WireServer.with(config(), site);
                RawClient client = server.connect()) {
            client.send(head() + body.substring(0, LENGTH - 1));
            await().until(() -> server.transport.pool().inUse() >= LENGTH - 1);
            assertEquals(0, dispatched.get());
            client.send(body.substring(LENGTH - 1));
            assertEquals("POST /a\n" + body, client.answer().body());
            assertEquals(0, server.counters.value(Counter.SPOOL_FILES));
            server.awaitNothingHeld();
        }
    }

    @Test
    void aChunkedUploadStaysInMemoryIfEnoughMemoryIsFree() throws Exception {
        String body = body();
        try (WireServer server = WireServer.with(config(), site);
                RawClient client = server.connect()) {
            client.send("POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + Integer.toHexString(LENGTH) + "\r\n" + body
                    + "\r\n0\r\n\r\nGET /next HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals("POST /a\n" + body, client.answer().body());
            assertEquals("GET /next\n", client.answer().body());
            assertEquals(0, server.counters.value(Counter.SPOOL_FILES));
            server.awaitNothingHeld();
        }
    }

    @Test
    void anUploadIsWrittenToDiskIfHalfOfTheMemoryBudgetIsInUse() throws Exception {
        String body = body();
        try (WireServer server = WireServer.with(config(), site);
                RawClient client = server.connect()) {
            List<Segment> taken = useHalf(server.transport.pool());
            long before = server.transport.pool().inUse();
            client.send(head() + body.substring(0, LENGTH - 1));
            await().until(() -> server.transport.spool().used() >= LENGTH - 4 * 4096);
            await().until(() -> server.transport.pool().inUse() - before <= 4 * 4096);
            client.send(body.substring(LENGTH - 1));
            assertEquals("POST /a\n" + body, client.answer().body());
            taken.forEach(Segment::release);
            server.awaitNothingHeld();
        }
    }

    /** The upload is in memory when memory becomes short. When the next byte arrives, the server must write the upload to disk. */
    @Test
    void anUploadInMemoryIsWrittenToDiskWhenMemoryBecomesShort() throws Exception {
        String body = body();
        try (WireServer server = WireServer.with(config(), site);
                RawClient client = server.connect()) {
            client.send(head() + body.substring(0, LENGTH - 2));
            await().until(() -> server.transport.pool().inUse() >= LENGTH - 2);
            List<Segment> taken = useHalf(server.transport.pool());
            client.send(body.substring(LENGTH - 2, LENGTH - 1));
            // The last bytes can stay in memory, because each upload may always use ASSURED bytes of memory.
            await().until(() -> server.transport.spool().used() >= LENGTH - 2 - ASSURED);
            await().until(() -> server.transport.pool().hasRoomForOutput());
            client.send(body.substring(LENGTH - 1));
            assertEquals("POST /a\n" + body, client.answer().body());
            taken.forEach(Segment::release);
            server.awaitNothingHeld();
        }
    }

    @Test
    void aResponseStaysInMemoryAndItsWorkerServesTheNextRequest() throws Exception {
        try (WireServer server = WireServer.with(config(), site);
                RawClient slow = server.connectWithReceiveBuffer(4096)) {
            slow.send(LARGE);
            await().until(() -> server.transport.pool().inUse() >= LENGTH / 2);
            assertAnswered(server);
            assertEquals(0, server.counters.value(Counter.SPOOL_FILES));
            assertEquals(body(), slow.answer().body());
            server.awaitNothingHeld();
        }
    }

    @Test
    void aResponseIsWrittenToDiskIfHalfOfTheMemoryBudgetIsInUse() throws Exception {
        try (WireServer server = WireServer.with(config(), site);
                RawClient slow = server.connectWithReceiveBuffer(4096)) {
            List<Segment> taken = useHalf(server.transport.pool());
            slow.send(LARGE);
            await().until(() -> server.counters.value(Counter.SPOOL_FILES) == 1);
            assertAnswered(server);
            assertEquals(body(), slow.answer().body());
            taken.forEach(Segment::release);
            server.awaitNothingHeld();
        }
    }

    private static void assertAnswered(WireServer server) throws IOException {
        try (RawClient client = server.connect()) {
            client.send("GET /other HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals("GET /other\n", client.answer().body());
        }
    }
}

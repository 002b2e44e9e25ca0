package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.Exchange;
import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import io.penstock.limits.Counter;
import io.penstock.pipe.Segment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A handler that writes only while {@code isReady()} is true must never wait for a client that does not read. */
final class NonBlockingOutputTest {
    private static final int CAPACITY = 2048;

    /**
     * Tests chunks of all sizes up to 40 bytes. With some of these sizes, the nearly full buffer of the response has room for the size
     * line of the next chunk, but not for the data of this chunk.
     */
    @Test
    void aResponseThatIsReadyAcceptsAWholeChunkWithoutBlocking() throws Exception {
        for (int size = 1; size <= 40; size++) {
            writeWhileReady(size);
        }
    }

    private static void writeWhileReady(int size) throws Exception {
        CountDownLatch left = new CountDownLatch(1);
        AtomicInteger written = new AtomicInteger();
        Site site = new Site().on("/push", exchange -> {
            exchange.response().head(new ResponseHead(200, Fields.EMPTY, -1));
            while (exchange.response().isReady()) {
                Segment segment = exchange.response().segment();
                segment.buffer().put(new byte[size]).flip();
                exchange.response().write(segment, false);
                written.incrementAndGet();
            }
            left.countDown();
            exchange.response().finish(Fields.EMPTY);
        });
        WireConfig config = new WireConfig().workers(1).pipes(CAPACITY, 1024).sendBuffer(4096);
        try (WireServer server = WireServer.with(config, site);
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send("GET /push HTTP/1.1\r\nHost: x\r\n\r\n");
            assertTrue(left.await(60, TimeUnit.SECONDS), "the handler waits, chunk size in bytes: " + size);
            assertEquals(0, server.counters.value(Counter.SPOOL_FILES));
            assertEquals(size * written.get(), client.answer().body().length());
        }
    }

    /**
     * When half of the memory is in use, the server writes even small responses to disk, but not a response whose handler has called {@code
     * nonBlocking()}.
     */
    @Test
    void onlyBlockingResponsesAreWrittenToDiskWhenMemoryIsShort() throws Exception {
        Semaphore left = new Semaphore(0);
        Site site = new Site()
                .on("/push", exchange -> {
                    exchange.response().nonBlocking();
                    write(exchange);
                    left.release();
                })
                .on("/write", exchange -> {
                    write(exchange);
                    left.release();
                });
        WireConfig config = new WireConfig()
                .workers(1)
                .pipes(64 * 1024, 1024)
                .budget(256 * 1024)
                .sendBuffer(4096);
        try (WireServer server = WireServer.with(config, site)) {
            List<RawClient> clients = new ArrayList<>();
            while (server.transport.pool().inUse() <= 128 * 1024) {
                assertTrue(clients.size() < 10, "the responses use too little memory");
                clients.add(server.connectWithReceiveBuffer(4096).send("GET /push HTTP/1.1\r\nHost: x\r\n\r\n"));
                assertTrue(left.tryAcquire(60, TimeUnit.SECONDS));
            }
            clients.add(server.connectWithReceiveBuffer(4096).send("GET /push HTTP/1.1\r\nHost: x\r\n\r\n"));
            assertTrue(left.tryAcquire(60, TimeUnit.SECONDS));
            assertEquals(0, server.counters.value(Counter.SPOOL_FILES));
            clients.add(server.connectWithReceiveBuffer(4096).send("GET /write HTTP/1.1\r\nHost: x\r\n\r\n"));
            assertTrue(left.tryAcquire(60, TimeUnit.SECONDS));
            assertEquals(1, server.counters.value(Counter.SPOOL_FILES), "files for the blocking response");
            for (RawClient client : clients) {
                assertEquals(60_000, client.answer().body().length());
                client.close();
            }
        }
    }

    /** Writes fewer bytes than the buffer of one response can hold. */
    private static void write(Exchange exchange) throws IOException {
        exchange.response().head(new ResponseHead(200, Fields.EMPTY, 60_000));
        for (int i = 0; i < 60; i++) {
            Segment segment = exchange.response().segment();
            segment.buffer().put(new byte[1000]).flip();
            exchange.response().write(segment, i == 59);
        }
    }
}

package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import io.penstock.pipe.Segment;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A response that writes only while it {@code isReady()} never waits for a client that does not read. */
final class NonBlockingOutputTest {
    private static final int CAPACITY = 2048;

    /** Every size once: one of them leaves room for the line of a chunk and for nothing behind it. */
    @Test
    void readyMeansThatHeadChunkLineAndBytesAreTakenWithoutWaiting() throws Exception {
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
            assertTrue(left.await(20, TimeUnit.SECONDS), "waits for the client with pieces of " + size);
            assertEquals(size * written.get(), client.answer().body().length());
        }
    }
}

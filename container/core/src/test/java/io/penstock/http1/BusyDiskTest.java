package io.penstock.http1;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.Counter;
import io.penstock.metrics.Gauge;
import io.penstock.spool.SimulatedDisk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * The server stops reading an upload while the disk is busy. If the disk is busy with writes of other uploads, the counter {@code
 * SPOOL_BUSY} must increase. If the disk writes only bytes of the same upload, this counter must not increase.
 */
final class BusyDiskTest {
    private static final int CAPACITY = 4096;
    private static final int SIZE = 20_000;
    private static final String HEAD = "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: " + SIZE + "\r\n\r\n";
    private static final String BODY = "0123456789".repeat(SIZE / 10);

    private final CountDownLatch writes = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);
    private final SimulatedDisk disk = new SimulatedDisk().beforeWrite(() -> {
        writes.countDown();
        await().until(() -> go.getCount() == 0);
    });

    private WireServer server(int writes) throws IOException {
        return new WireServer(new WireConfig().pipes(CAPACITY, 1024).spoolQueue(writes), new Site(), disk);
    }

    /**
     * Sends all bytes of an upload except the last byte. Returns when the disk writes the first bytes and the memory for further bytes is
     * full.
     */
    private void uploadUntilMemoryIsFull(WireServer server, RawClient client) throws Exception {
        client.send(HEAD + BODY.substring(0, SIZE - 1));
        assertTrue(writes.await(60, TimeUnit.SECONDS));
        await().until(() -> server.transport.pool().inUse() >= 2 * CAPACITY);
        server.settle();
    }

    private static void assertEchoed(RawClient client) throws IOException {
        assertEquals("POST /a\n" + BODY, client.answer().body());
    }

    @Test
    void theSpoolBusyCounterIsNotIncreasedByDiskWritesOfTheSameUpload() throws Exception {
        try (WireServer server = server(10);
                RawClient client = server.connect()) {
            uploadUntilMemoryIsFull(server, client);
            assertEquals(0, server.counters.value(Counter.SPOOL_BUSY));
            go.countDown();
            client.send(BODY.substring(SIZE - 1));
            assertEchoed(client);
            assertEquals(0, server.counters.value(Counter.SPOOL_BUSY));
        }
    }

    @Test
    void theSpoolBusyCounterIsIncreasedByDiskWritesOfOtherUploads() throws Exception {
        try (WireServer server = server(1);
                RawClient client = server.connect();
                RawClient held = server.connect()) {
            uploadUntilMemoryIsFull(server, client);
            held.send(HEAD + BODY);
            await().until(() -> server.counters.value(Counter.SPOOL_BUSY) > 0);
            go.countDown();
            client.send(BODY.substring(SIZE - 1));
            assertEchoed(client);
            assertEchoed(held);
        }
    }

    /**
     * The server is short of memory, so it must write bodies to disk, but the disk is busy. When the disk is free again, the server must
     * write these bodies to disk.
     */
    @Test
    void waitingBodiesAreWrittenToDiskWhenTheDiskIsFreeAgain() throws Exception {
        WireConfig config =
                new WireConfig().pipes(CAPACITY, 1024).spoolQueue(1).queue(200).budget(64 * 1024);
        String small = BODY.substring(0, 3000);
        try (WireServer server = new WireServer(config, new Site(), disk);
                RawClient client = server.connect()) {
            uploadUntilMemoryIsFull(server, client);
            List<RawClient> others = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                others.add(server.connect().send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3000\r\n\r\n"));
            }
            server.settle(); // waits until the server has read the heads
            for (RawClient other : others) {
                other.send(small.substring(0, 2900));
            }
            await().until(() -> server.transport.gauges().value(Gauge.BODIES_STARVING) > 0);
            server.settle();
            go.countDown();
            for (RawClient other : others) {
                other.send(small.substring(2900));
            }
            for (RawClient other : others) {
                assertEquals("POST /a\n" + small, other.answer().body());
                other.close();
            }
            client.send(BODY.substring(SIZE - 1));
            assertEchoed(client);
        }
    }
}

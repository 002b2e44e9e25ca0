package io.penstock.http1;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.RawConnection;
import io.penstock.metrics.Gauge;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Upgraded connections can stay open for a long time. The server limits the resources of idle connections and of slow clients. */
final class SlowUpgradedClientTest extends UpgradedConnectionFixture {
    @Test
    void idleUpgradedConnectionsUseNoWorkerAndNoMemory() throws Exception {
        try (WireServer server = WireServer.with(new WireConfig().workers(1), siteWith(raw -> {}))) {
            List<RawClient> idle = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                RawClient client = server.connect();
                idle.add(client);
                client.send(RawEcho.REQUEST.replace("/up", "/echo") + "x");
                assertEquals(101, client.answer().status());
                client.exactly(1);
            }
            await().until(() -> level(server, Gauge.WORKERS_BUSY) == 0);
            assertEquals(0, level(server, Gauge.WORKERS_STREAMING));
            assertServesAnotherClient(server);
            server.awaitNothingHeld();
            for (RawClient client : idle) {
                client.close();
            }
        }
    }

    /** The server has two workers, and only one worker may wait for clients. So the second connection waits in the queue for a worker. */
    @Test
    void blockingReadsUseAtMostTheAllowedNumberOfWorkers() throws Exception {
        Site site = siteWith(raw -> raw.input().read(new byte[1], 0, 1));
        try (WireServer server = WireServer.with(new WireConfig().workers(2).maxStreaming(1), site);
                RawClient first = server.connect();
                RawClient second = server.connect()) {
            first.send(RawEcho.REQUEST);
            assertEquals(101, first.answer().status());
            await().until(() -> level(server, Gauge.WORKERS_STREAMING) == 1);
            second.send(RawEcho.REQUEST);
            assertEquals(101, second.answer().status());
            await().until(() -> level(server, Gauge.QUEUED) == 1);
            assertServesAnotherClient(server);
            first.send("x");
            assertCalls("returned");
            second.send("x");
            assertCalls("returned");
            await().until(() -> level(server, Gauge.WORKERS_STREAMING) == 0);
        }
    }

    /**
     * At most one worker may wait for clients. This limit also applies to jobs that {@code exchange.resume} runs. While one worker waits, a
     * blocking read in another job fails.
     */
    @Test
    void aBlockingReadInAJobFailsIfTooManyWorkersWaitForClients() throws Exception {
        Site site = new Site()
                .on(
                        "/job",
                        RawEcho.switching(exchange -> new TestUpgrade(raw -> raw.input()
                                .whenReady(() -> exchange.resume(() -> {
                                    try {
                                        raw.input().read(new byte[1], 0, 1);
                                        calls.add("read " + raw.input().read(new byte[1], 0, 1));
                                    } catch (IOException e) {
                                        calls.add("too many");
                                    }
                                })))))
                .on(
                        "/up",
                        RawEcho.switching(
                                exchange -> new TestUpgrade(raw -> raw.input().read(new byte[1], 0, 1))));
        try (WireServer server = WireServer.with(new WireConfig().workers(3).maxStreaming(1), site);
                RawClient waits = server.connect();
                RawClient fails = server.connect();
                RawClient blocks = server.connect()) {
            for (RawClient client : List.of(waits, fails)) {
                client.send(RawEcho.REQUEST.replace("/up", "/job"));
                assertEquals(101, client.answer().status());
                assertCalls("returned");
            }
            await().until(() -> level(server, Gauge.WORKERS_STREAMING) == 0);
            waits.send("a");
            await().until(() -> level(server, Gauge.WORKERS_STREAMING) == 1);
            waits.send("b");
            assertCalls("read 1");
            await().until(() -> level(server, Gauge.WORKERS_STREAMING) == 0);
            blocks.send(RawEcho.REQUEST);
            assertEquals(101, blocks.answer().status());
            await().until(() -> level(server, Gauge.WORKERS_STREAMING) == 1);
            fails.send("a");
            assertCalls("too many");
            blocks.send("x");
            assertCalls("returned");
        }
    }

    @Test
    void aClientThatDoesNotReadUsesNoWorkerWhileTheDiskHasSpace() throws Exception {
        int much = 8 << 20;
        Site site = siteWith(raw -> raw.output().write(ByteBuffer.wrap(new byte[much]), false));
        try (WireServer server = WireServer.with(new WireConfig().workers(1).sendBuffer(4096), site);
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send(RawEcho.REQUEST);
            assertCalls("returned");
            assertTrue(level(server, Gauge.SPOOL_BYTES) > 0);
            assertTrue(
                    level(server, Gauge.PIPE_BYTES) <= 3 * 64 * 1024,
                    "bytes in memory: " + level(server, Gauge.PIPE_BYTES));
            assertServesAnotherClient(server);
            assertEquals(101, client.answer().status());
            assertEquals(much, client.exactly(much).length);
            server.awaitNothingHeld();
        }
    }

    /** The server must send the bytes of each small write, even if no further write follows. */
    @Test
    void smallWritesAreSentAfterAWriteToDisk() throws Exception {
        Site site = siteWith(raw -> {
            raw.output().write(ByteBuffer.wrap(new byte[1 << 20]), false);
            for (int i = 0; i < 100; i++) {
                raw.output().write(ByteBuffer.wrap(new byte[] {(byte) i}), false);
            }
        });
        try (WireServer server = WireServer.with(new WireConfig().sendBuffer(4096), site);
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send(RawEcho.REQUEST);
            assertCalls("returned");
            assertEquals(101, client.answer().status());
            client.exactly(1 << 20);
            byte[] small = client.exactly(100);
            for (int i = 0; i < 100; i++) {
                assertEquals(i, small[i]);
            }
        }
    }

    @Test
    void theServerReadsOnlyALimitedNumberOfBytesBeforeTheApplicationReads() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        int much = 4 << 20;
        Site site = siteWith(raw -> {
            go.await();
            byte[] buffer = new byte[8192];
            int count = 0;
            while (count < much) {
                count += raw.input().read(buffer, 0, buffer.length);
            }
            raw.output().write(ByteBuffer.wrap(new byte[] {1}), false);
        });
        try (WireServer server = WireServer.with(new WireConfig().receiveBuffer(8192), site);
                RawClient client = server.connect()) {
            client.send(RawEcho.REQUEST);
            assertEquals(101, client.answer().status());
            FutureTask<Boolean> sender = new FutureTask<>(() -> {
                client.send(new byte[much]);
                return true;
            });
            new Thread(sender, "sender").start();
            await().until(() -> level(server, Gauge.PIPE_BYTES) >= 64 * 1024);
            server.settle();
            assertTrue(
                    level(server, Gauge.PIPE_BYTES) <= 128 * 1024,
                    "bytes in memory: " + level(server, Gauge.PIPE_BYTES));
            go.countDown();
            assertTrue(sender.get(60, TimeUnit.SECONDS));
            assertEquals(1, client.exactly(1)[0]);
            assertCalls("returned");
        }
    }

    @Test
    void aCloseByAnotherThreadEndsABlockingRead() throws Exception {
        BlockingQueue<RawConnection> connections = new LinkedBlockingQueue<>();
        Site site = siteWith(raw -> {
            connections.add(raw);
            raw.input().read(new byte[1], 0, 1);
        });
        try (WireServer server = WireServer.with(new WireConfig(), site);
                RawClient client = server.connect()) {
            client.send(RawEcho.REQUEST);
            assertEquals(101, client.answer().status());
            RawConnection raw = connections.poll(60, TimeUnit.SECONDS);
            assertNotNull(raw);
            await().until(() -> level(server, Gauge.CONNECTIONS_UPGRADED) == 1);
            raw.close();
            assertEquals("", client.rest());
            assertCalls("The request body has been closed");
            client.close();
            assertCalls("ended");
        }
    }
}

package io.penstock.http1;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.RawConnection;
import io.penstock.http.Fields;
import io.penstock.limits.Counter;
import io.penstock.metrics.Gauge;
import io.penstock.spool.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Tests that the server closes an upgraded connection in three cases: the connection is idle, the client does not read, or the server
 * stops.
 */
final class UpgradedConnectionEndsTest extends UpgradedConnectionFixture {
    @Test
    void anIdleUpgradedConnectionIsClosedAndTheTimeoutIsCounted() throws Exception {
        Site site = siteWith(raw -> {
            calls.add("begins");
            raw.input().read(new byte[1], 0, 1);
        });
        try (WireServer server = WireServer.with(new WireConfig().timeByHand().upgradeIdle(100), site);
                RawClient client = server.connect()) {
            client.send(RawEcho.REQUEST);
            assertEquals(101, client.answer().status());
            assertCalls("begins");
            server.passUntilTimeout(Duration.ofMillis(120), "upgrade-idle-timeout");
            assertEquals("", client.rest());
            assertCalls("upgrade-idle-timeout", "ended");
            assertEquals(1, server.counters.value(Counter.UPGRADE_IDLE_TIMEOUTS));
        }
    }

    /** What uses the connection, such as a WebSocket session, keeps the URI and its parts. */
    @Test
    void theTargetCountsInTheBudgetOfHeadsUntilTheConnectionEnds() throws Exception {
        BlockingQueue<RawConnection> connections = new LinkedBlockingQueue<>();
        int query = 3000;
        try (WireServer server = WireServer.with(new WireConfig(), siteWith(connections::add));
                RawClient client = server.connect()) {
            client.send("GET /up?" + "q".repeat(query) + " HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo"
                    + ", other".repeat(1000) + "\r\n\r\n");
            assertEquals(101, client.answer().status());
            RawConnection connection = connections.poll(60, TimeUnit.SECONDS);
            assertNotNull(connection);
            await().until(() -> {
                long kept = level(server, Gauge.HEAD_BYTES);
                return kept > 2 * query && kept < 2 * query + 300;
            });
            assertEquals(64, connection.protocol().length());
            connection.close();
            assertCalls("returned", "ended");
            await().until(() -> level(server, Gauge.HEAD_BYTES) == 0);
        }
    }

    @Test
    void anUpgradedConnectionIsNotClosedAsIdleWhileTheServerSendsBytes() throws Exception {
        int words = 10;
        Semaphore mayWrite = new Semaphore(0);
        Semaphore written = new Semaphore(0);
        Site site = siteWith(raw -> {
            for (int i = 0; i < words; i++) {
                mayWrite.acquire();
                raw.output().write(ByteBuffer.wrap(new byte[1]), false);
                written.release();
            }
        });
        try (WireServer server = WireServer.with(new WireConfig().timeByHand().upgradeIdle(200), site);
                RawClient client = server.connect()) {
            client.send(RawEcho.REQUEST);
            assertEquals(101, client.answer().status());
            for (int i = 0; i < words; i++) {
                server.pass(Duration.ofMillis(150));
                mayWrite.release();
                client.exactly(1);
                assertTrue(written.tryAcquire(60, TimeUnit.SECONDS)); // the server has noted the time of the write
            }
            assertEquals(0, server.counters.value(Counter.UPGRADE_IDLE_TIMEOUTS));
        }
    }

    /** The application is slow, so that the server does not read what the client has sent. */
    @Test
    void anUpgradedConnectionIsNotClosedAsIdleWhileTheServerDoesNotRead() throws Exception {
        int length = 100_000;
        CountDownLatch go = new CountDownLatch(1);
        Site site = siteWith(raw -> {
            go.await();
            int read = 0;
            for (int n = 0; n >= 0 && read < length; read += n) {
                n = raw.input().read(new byte[4096], 0, 4096);
            }
            calls.add("read " + read);
        });
        try (WireServer server = WireServer.with(
                        new WireConfig().pipes(4096, 1024).timeByHand().upgradeIdle(100), site);
                RawClient client = server.connect()) {
            client.send(RawEcho.REQUEST).send(new byte[length]);
            assertEquals(101, client.answer().status());
            for (int i = 0; i < 4; i++) {
                server.pass(Duration.ofMillis(120));
            }
            assertEquals(0, server.counters.value(Counter.UPGRADE_IDLE_TIMEOUTS));
            go.countDown();
            await().until(() -> calls.contains("read " + length));
        }
    }

    @Test
    void theConnectionIsClosedAtTheDiskLimitIfTheClientDoesNotRead() throws Exception {
        Site site = siteWith(raw -> raw.output().write(ByteBuffer.wrap(new byte[4 << 20]), false));
        try (WireServer server = WireServer.with(
                        new WireConfig()
                                .timeByHand()
                                .sendBuffer(4096)
                                .responseSpoolLimit(1 << 16)
                                .writeStall(300),
                        site);
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send(RawEcho.REQUEST);
            server.passUntilTimeout(Duration.ofMillis(320), "write-stall-timeout");
            server.events.awaitClosed(1);
            assertEquals(1, server.counters.value(Counter.WRITE_STALLS));
            await().until(() -> calls.contains("ended"));
        }
    }

    /**
     * While a thread writes the output to disk, the buffer of the output (pipe) is empty. The server must not treat the empty buffer as the
     * end of the output.
     */
    @Test
    void bytesAreNotLostIfTheConnectionIsClosedDuringADiskWrite() throws Exception {
        int written = 48 * 1024;
        CountDownLatch writes = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        SimulatedDisk disk = new SimulatedDisk().beforeWrite(() -> {
            writes.countDown();
            await().until(() -> go.getCount() == 0);
        });
        BlockingQueue<RawConnection> connections = new LinkedBlockingQueue<>();
        Site site = siteWith(raw -> {
            connections.add(raw);
            raw.output().write(ByteBuffer.wrap(new byte[written]), false); // these bytes fit into the pipe
            // This write moves the bytes of the pipe to disk.
            raw.output().write(ByteBuffer.wrap(new byte[1 << 20]), false);
        });
        try (WireServer server = new WireServer(new WireConfig().sendBuffer(4096), site, disk);
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send(RawEcho.REQUEST);
            RawConnection raw = Objects.requireNonNull(connections.poll(60, TimeUnit.SECONDS));
            assertTrue(writes.await(60, TimeUnit.SECONDS));
            raw.close();
            server.settle();
            go.countDown();
            assertEquals(101, client.answer().status());
            assertEquals(written, client.exactly(written).length);
        }
    }

    /** The application has ended the output, and reads late. So both directions have ended while bytes of the client are not read yet. */
    @Test
    void theInputIsReadCompletelyAfterBothDirectionsHaveEnded() throws Exception {
        int length = 100_000;
        CountDownLatch go = new CountDownLatch(1);
        Site site = siteWith(raw -> {
            raw.output().finish(Fields.EMPTY);
            go.await();
            int read = 0;
            for (int n = 0; n >= 0; n = raw.input().read(new byte[4096], 0, 4096)) {
                read += n;
            }
            calls.add("read " + read);
            raw.close();
        });
        try (WireServer server =
                        WireServer.with(new WireConfig().pipes(4096, 1024).timeByHand(), site);
                RawClient client = server.connect()) {
            client.send(RawEcho.REQUEST).send(new byte[length]).halfClose();
            assertEquals(101, client.answer().status());
            assertEquals("", client.rest());
            for (int i = 0; i < 4; i++) {
                server.pass(Duration.ofMillis(250));
            }
            go.countDown();
            await().until(() -> calls.contains("read " + length));
        }
    }

    /** Memory and disk are full, and another worker waits for its client already. So bytes of the output cannot be sent. */
    @Test
    void theConnectionIsResetIfBytesAreMissingAtTheEndOfTheOutput() throws Exception {
        BlockingQueue<RawConnection> connections = new LinkedBlockingQueue<>();
        BlockingQueue<String> causes = new LinkedBlockingQueue<>(); // the connection can end before the cause is added
        Site site = siteWith(connections::add).on("/stream", exchange -> {
            calls.add("streams");
            Site.echo(exchange);
        });
        try (WireServer server = WireServer.with(
                        new WireConfig()
                                .overSockets()
                                .pipes(4096, 1024)
                                .sendBuffer(4096)
                                .responseSpoolLimit(1 << 16)
                                .maxStreaming(1),
                        site);
                RawClient client = server.connectWithReceiveBuffer(4096);
                RawClient other = server.connect()) {
            client.send(RawEcho.REQUEST);
            assertEquals(101, client.answer().status());
            RawConnection raw = Objects.requireNonNull(connections.poll(60, TimeUnit.SECONDS));
            assertCalls("returned");
            other.send("POST /stream HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n");
            assertCalls("streams");
            raw.work(() -> {
                assertThrows(IOException.class, () -> {
                    while (true) {
                        raw.output().write(ByteBuffer.wrap(new byte[1000]), false);
                    }
                });
                causes.add(assertThrows(IOException.class, () -> raw.output().finish(Fields.EMPTY))
                        .getMessage());
                raw.close();
            });
            String cause = Objects.requireNonNull(causes.poll(60, TimeUnit.SECONDS));
            assertTrue(cause.startsWith("response-cut"), cause);
            assertThrows(IOException.class, client::rest);
            assertEquals(cause, server.events.awaitClosed(client));
            other.send("hello");
            assertEquals(200, other.answer().status());
        }
    }

    // ---- the stop of the server

    @Test
    void stoppingTheServerEndsTheInputOfAnUpgradedConnection() throws Exception {
        BlockingQueue<RawConnection> connections = new LinkedBlockingQueue<>();
        Site site = siteWith(raw -> {
            connections.add(raw);
            calls.add("read " + raw.input().read(new byte[1], 0, 1));
            raw.output().write(ByteBuffer.wrap("bye".getBytes(StandardCharsets.ISO_8859_1)), false);
            raw.close();
        });
        WireServer server = WireServer.with(new WireConfig(), site);
        try (RawClient client = server.connect()) {
            client.send(RawEcho.REQUEST);
            assertEquals(101, client.answer().status());
            assertNotNull(connections.poll(60, TimeUnit.SECONDS));
            FutureTask<Boolean> stopping = new FutureTask<>(() -> {
                server.close();
                return true;
            });
            new Thread(stopping, "stopper").start();
            assertEquals("bye", client.rest());
            assertTrue(stopping.get(60, TimeUnit.SECONDS));
            assertTrue(calls.contains("read -1"), calls.toString());
            assertTrue(calls.contains("ended"), calls.toString());
        }
    }

    @Test
    void anOpenUpgradedConnectionIsClosedAfterTheShutdownTimeout() throws Exception {
        Site site = new Site().on("/up", RawEcho.switching(exchange -> new TestUpgrade(raw -> {}, OnLeave.IGNORE)));
        WireServer server =
                new WireServer(new WireConfig().toConfig(), site, Duration.ofMillis(100), new RecordedEvents());
        try (RawClient client = server.connect()) {
            client.send(RawEcho.REQUEST);
            assertEquals(101, client.answer().status());
            assertCalls("returned");
            server.close();
            assertCalls("leave", "ended");
            assertEquals(1, server.counters.value(Counter.SHUTDOWN_TIMEOUTS));
        }
    }
}

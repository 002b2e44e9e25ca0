package io.penstock.http1;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.Bulkhead;
import io.penstock.limits.BulkheadLimits;
import io.penstock.limits.Counter;
import io.penstock.metrics.Gauge;
import io.penstock.spool.SimulatedDisk;
import io.penstock.spool.SpoolShare;
import io.penstock.work.Lane;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Tests a bulkhead, which limits the workers of one path. Requests to this path hang. Further requests to this path must be queued or
 * refused. Requests to other paths must be served, even on a connection on which a request to this path was refused.
 */
final class BulkheadTest {
    private static final String HANG = "GET /hang HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final String GET = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final int MAX_QUEUE_AGE_MILLIS = 400;

    private final Bulkhead bulkhead = Bulkhead.of(new BulkheadLimits("/hang", 1, 1, 0));
    private final Lane share = Objects.requireNonNull(bulkhead.workers());
    private final Semaphore go = new Semaphore(0);
    private final Semaphore running = new Semaphore(0);
    private final Site site = new Site().bulkhead(bulkhead).on("/hang", exchange -> {
        running.release();
        go.acquire();
        Site.text(exchange, "done");
    });

    private void awaitRunning() throws InterruptedException {
        assertTrue(running.tryAcquire(60, TimeUnit.SECONDS));
    }

    private WireServer server() throws IOException {
        return WireServer.with(new WireConfig().workers(2), site);
    }

    /** Sends a request that hangs on a worker. Returns the client of this request. */
    private RawClient hang(WireServer server) throws Exception {
        RawClient client = server.connect().send(HANG);
        awaitRunning();
        return client;
    }

    /** Sends a request that hangs, and another request that waits in the queue of the bulkhead. Returns the clients of these requests. */
    private List<RawClient> fill(WireServer server) throws Exception {
        RawClient first = hang(server);
        RawClient second = server.connect().send(HANG);
        await().until(() -> share.waiting() == 1);
        return List.of(first, second);
    }

    private static void assertServed(RawClient client) throws IOException {
        assertEquals("GET /a\n", client.send(GET).answer().body());
    }

    private static void assertRefused(Answer answer) {
        assertEquals(503, answer.status());
        int seconds = Integer.parseInt(answer.field("Retry-After"));
        assertTrue(seconds >= 1 && seconds <= 60, "seconds in Retry-After: " + seconds);
    }

    @Test
    void onlyRequestsToTheBulkheadPathAreRefusedIfTheBulkheadQueueIsFull() throws Exception {
        try (WireServer server = server()) {
            List<RawClient> clients = fill(server);
            RawClient refused = server.connect();
            Cuts.onOneConnection(server, HANG, one -> {
                Answer answer = one.answer();
                assertRefused(answer);
                assertEquals("", answer.field("Connection"));
            });
            assertRefused(refused.send(HANG).answer());
            assertServed(refused);
            assertTrue(server.events.refused().contains("503 bulkhead-queue"));
            assertEquals(share.refused(), server.counters.value(Counter.BULKHEAD_FULL));
            assertEquals(0, server.counters.value(Counter.QUEUE_FULL));
            go.release(2);
            for (RawClient client : clients) {
                assertEquals("done", client.answer().body());
            }
            await().until(() -> share.running() == 0 && share.waiting() == 0);
            server.awaitNothingHeld();
        }
    }

    /**
     * After a request, a worker can serve the next pipelined request directly, without the queue. If one of these two requests belongs to a
     * bulkhead, the worker must not skip the queue.
     */
    @Test
    void pipelinedRequestsDoNotBypassTheBulkheadQueue() throws Exception {
        try (WireServer server = server();
                RawClient hung = hang(server);
                RawClient client = server.connect()) {
            client.send(GET + HANG + GET + GET);
            assertEquals("GET /a\n", client.answer().body());
            await().until(() -> share.waiting() == 1);
            assertEquals(1, share.running());
            try (RawClient other = server.connect()) {
                // The second worker is free, because the second request to /hang waits in the queue of the bulkhead.
                assertServed(other);
            }
            go.release(2);
            assertEquals("done", hung.answer().body());
            assertEquals("done", client.answer().body());
            assertEquals("GET /a\n", client.answer().body());
            assertEquals("GET /a\n", client.answer().body());
            await().until(() -> share.running() == 0);
        }
    }

    @Test
    void theConnectionStaysOpenAfterPipelinedRequestsAreRefused() throws Exception {
        Semaphore first = new Semaphore(0);
        site.on("/first", exchange -> {
            first.acquire();
            Site.text(exchange, "first");
        });
        try (WireServer server = WireServer.with(new WireConfig().workers(3), site);
                RawClient client = server.connect()) {
            client.send("GET /first HTTP/1.1\r\nHost: x\r\n\r\n" + HANG + HANG + GET);
            List<RawClient> others = fill(server);
            server.settle();
            first.release();
            assertEquals("first", client.answer().body());
            assertRefused(client.answer());
            assertRefused(client.answer());
            assertEquals("GET /a\n", client.answer().body());
            assertServed(client);
            assertEquals(2, share.refused());
            go.release(2);
            for (RawClient other : others) {
                assertEquals("done", other.answer().body());
            }
            server.awaitNothingHeld();
        }
    }

    /** The bytes behind a request for an upgrade wait for its answer. A worker answers it here, since the bulkhead is full. */
    @Test
    void requestsAreFramedAgainAfterAWorkerHasRefusedAPipelinedUpgrade() throws Exception {
        Semaphore first = new Semaphore(0);
        site.on("/first", exchange -> {
            first.acquire();
            Site.text(exchange, "first");
        });
        try (WireServer server = WireServer.with(new WireConfig().workers(3), site);
                RawClient client = server.connect()) {
            String upgrade = RawEcho.REQUEST.replace("/up", "/hang");
            client.send("GET /first HTTP/1.1\r\nHost: x\r\n\r\n" + upgrade + GET);
            List<RawClient> others = fill(server);
            server.settle();
            first.release();
            assertEquals("first", client.answer().body());
            assertRefused(client.answer());
            assertEquals("GET /a\n", client.answer().body());
            assertServed(client);
            go.release(2);
            for (RawClient other : others) {
                assertEquals("done", other.answer().body());
            }
            server.awaitNothingHeld();
        }
    }

    @Test
    void aRequestIsRefusedAndCountedIfItWaitsTooLongInTheBulkheadQueue() throws Exception {
        WireConfig config = new WireConfig().timeByHand().workers(2).queueAge(MAX_QUEUE_AGE_MILLIS);
        try (WireServer server = WireServer.with(config, site)) {
            List<RawClient> clients = fill(server);
            server.pass(Duration.ofMillis(MAX_QUEUE_AGE_MILLIS + 20));
            assertRefused(clients.get(1).answer());
            assertEquals(0, share.waiting());
            assertEquals(1, share.refused());
            assertEquals(1, server.counters.value(Counter.QUEUE_AGED));
            assertServed(clients.get(1));
            go.release();
            assertEquals("done", clients.get(0).answer().body());
        }
    }

    @Test
    void aResetByTheClientRemovesItsRequestFromTheQueue() throws Exception {
        try (WireServer server = server()) {
            List<RawClient> clients = fill(server);
            clients.get(1).reset();
            await().until(() -> share.waiting() == 0);
            go.release();
            assertEquals("done", clients.get(0).answer().body());
            await().until(() -> share.running() == 0);
            server.awaitNothingHeld();
        }
    }

    /**
     * While an asynchronous request is suspended, no worker runs the request. So the bulkhead must not count this request as running. Then
     * {@code exchange.resume} continues the request while another request to {@code /hang} runs. So the resumed request must wait in the
     * queue of the bulkhead.
     */
    @Test
    void aSuspendedAsynchronousRequestDoesNotCountAsRunningInTheBulkhead() throws Exception {
        List<Runnable> events = new ArrayList<>();
        CountDownLatch left = new CountDownLatch(1);
        site.on("/hang", exchange -> {
            if (left.getCount() > 0) {
                events.add(() -> exchange.resume(() -> {
                    try {
                        Site.text(exchange, "later");
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                }));
                left.countDown();
                return;
            }
            running.release();
            go.acquire();
            Site.text(exchange, "done");
        });
        try (WireServer server = server();
                RawClient asynchronous = server.connect().send(HANG)) {
            assertTrue(left.await(60, TimeUnit.SECONDS));
            await().until(() -> share.running() == 0);
            RawClient hung = hang(server);
            events.get(0).run();
            assertEquals(1, share.waiting(), "requests in the queue of the bulkhead");
            try (RawClient other = server.connect()) {
                assertServed(other);
            }
            go.release();
            assertEquals("done", hung.answer().body());
            assertEquals("later", asynchronous.answer().body());
            await().until(() -> share.running() == 0 && share.waiting() == 0);
        }
    }

    @Test
    void aFailedRequestNoLongerCountsAsRunningInTheBulkhead() throws Exception {
        site.on("/hang", exchange -> {
            throw new IllegalStateException("on purpose");
        });
        try (WireServer server = server()) {
            for (int i = 0; i < 5; i++) {
                try (RawClient client = server.connect().send(HANG)) {
                    client.rest();
                }
            }
            await().until(() -> share.running() == 0);
        }
    }

    /**
     * The bulkhead limits the number of disk writes that wait or run. When this limit is reached, the server stops reading uploads to the
     * path of the bulkhead. Meanwhile, an upload to another path must complete.
     */
    @Test
    void anUploadToAnotherPathCompletesWhileUploadsToTheBulkheadPathWaitForTheDisk() throws Exception {
        int size = 20_000;
        String body = "0123456789".repeat(size / 10);
        Bulkhead writers = Bulkhead.of(new BulkheadLimits("/upload", 0, 0, 1));
        SpoolShare writes = Objects.requireNonNull(writers.writes());
        Semaphore disk = new Semaphore(0);
        CountDownLatch held = new CountDownLatch(1);
        SimulatedDisk slow = new SimulatedDisk().beforeWrite(() -> {
            if (held.getCount() > 0) {
                held.countDown();
                disk.acquireUninterruptibly();
            }
        });
        String upload = "POST /upload HTTP/1.1\r\nHost: x\r\nContent-Length: " + size + "\r\n\r\n" + body;
        WireConfig config = new WireConfig().pipes(4096, 1024);
        try (WireServer server = new WireServer(config, new Site().bulkhead(writers), slow);
                RawClient first = server.connect().send(upload)) {
            assertTrue(held.await(60, TimeUnit.SECONDS));
            List<RawClient> others = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                others.add(server.connect().send(upload));
            }
            await().until(() -> server.counters.value(Counter.SPOOL_BUSY) > 0);
            assertEquals(1, writes.pending());
            assertEquals(1, server.transport.gauges().value(Gauge.SPOOL_PENDING));
            try (RawClient normal = server.connect()) {
                normal.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: " + size + "\r\n\r\n" + body);
                assertEquals("POST /a\n" + body, normal.answer().body());
            }
            disk.release(1000);
            assertEquals("POST /upload\n" + body, first.answer().body());
            for (RawClient other : others) {
                assertEquals("POST /upload\n" + body, other.answer().body());
            }
            await().until(() -> writes.pending() == 0);
            server.awaitNothingHeld();
        }
    }
}

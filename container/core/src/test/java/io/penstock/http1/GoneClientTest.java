package io.penstock.http1;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.Exchange;
import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import io.penstock.limits.Counter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * When a client disconnects, the server must drop the waiting requests of this client. If a request of the client runs, the server must
 * call the disconnect callback of the request ({@code exchange.whenGone}).
 */
final class GoneClientTest {
    private final Semaphore go = new Semaphore(0);
    private final Semaphore running = new Semaphore(0);
    private final AtomicInteger runsOfA = new AtomicInteger();
    private final BlockingQueue<Exchange> open = new LinkedBlockingQueue<>();
    private final BlockingQueue<IOException> seen = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private final Site site = new Site()
            .on("/block", exchange -> {
                running.release();
                go.acquire();
                Site.text(exchange, "done");
            })
            .on("/a", exchange -> {
                runsOfA.incrementAndGet();
                Site.echo(exchange);
            })
            .on("/stream/block", exchange -> {
                running.release();
                go.acquire();
            })
            .on("/stream", exchange -> runsOfA.incrementAndGet())
            .on("/write", exchange -> {
                running.release();
                go.acquire();
                exchange.response().head(new ResponseHead(200, Fields.EMPTY, -1));
                for (int i = 0; i < 2; i++) {
                    seen.add(assertThrows(
                            IOException.class, () -> exchange.response().write(ByteBuffer.wrap(new byte[10]), false)));
                }
                throw new IOException("as an application would");
            })
            .on("/open", open::add);

    private RawClient block(WireServer server) throws Exception {
        RawClient client = server.connect().send("GET /block HTTP/1.1\r\nHost: x\r\n\r\n");
        assertTrue(running.tryAcquire(60, TimeUnit.SECONDS));
        return client;
    }

    /** Lets the request of {@link #block} end. No other request may have run. */
    private void assertOnlyServed(RawClient blocker) throws IOException {
        go.release();
        assertEquals("done", blocker.answer().body());
        assertEquals(0, runsOfA.get(), "requests to /a that ran");
    }

    private static void awaitGone(WireServer server, int count) {
        await().until(() -> server.counters.value(Counter.CLIENTS_GONE) == count);
    }

    @Test
    void aResetRemovesAQueuedRequestAndItsBodyInMemoryOrOnDisk() throws Exception {
        try (WireServer server =
                        WireServer.with(new WireConfig().workers(1).queue(3).pipes(4096, 1024), site);
                RawClient blocker = block(server)) {
            for (int length : new int[] {0, 5, 4096, 100_000}) {
                RawClient client = server.connect();
                client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: " + length + "\r\n\r\n")
                        .send(new byte[length]);
                await().until(() -> server.transport.queue().size() == 1);
                client.reset();
                await().until(() -> server.transport.queue().size() == 0);
                server.awaitNothingHeld();
                await().until(() -> server.transport.spool().files() == 0);
            }
            awaitGone(server, 4);
            assertOnlyServed(blocker);
            assertEquals(List.of(), server.events.failed());
        }
    }

    @Test
    void writesFailAfterAResetButAreNotReportedAsServerFailures() throws Exception {
        try (WireServer server = WireServer.with(new WireConfig().workers(1), site)) {
            RawClient client = server.connect().send("GET /write HTTP/1.1\r\nHost: x\r\n\r\n");
            assertTrue(running.tryAcquire(60, TimeUnit.SECONDS));
            client.reset();
            server.events.awaitClosed(1);
            awaitGone(server, 1);
            go.release();
            assertNotNull(seen.poll(60, TimeUnit.SECONDS));
            assertNotNull(seen.poll(60, TimeUnit.SECONDS));
            requestFromTheOnlyWorker(server);
            assertEquals(List.of(), server.events.failed());
        }
    }

    /**
     * While the first request runs, the server reads only a few of the pipelined requests, or only a part of the body. A probe shows the
     * reset nevertheless.
     */
    @EnabledOnOs(OS.LINUX)
    @ParameterizedTest
    @CsvSource({"false,10", "false,10000", "true,10", "true,10000"})
    void aResetIsDetectedWhileTheServerDoesNotReadTheClient(boolean overTls, int unread) throws Exception {
        String next = "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello".repeat(unread);
        String body = "POST /stream/block HTTP/1.1\r\nHost: x\r\nContent-Length: " + next.length() + "\r\n\r\n";
        WireConfig config = new WireConfig().workers(3).pipes(4096, 1024).timeByHand();
        try (WireServer server = WireServer.with(overTls ? config.overTls() : config, site)) {
            RawClient client = block(server);
            client.send(next);
            RawClient inOnePiece = server.connect().send("GET /block HTTP/1.1\r\nHost: x\r\n\r\n" + next);
            RawClient streaming = server.connect().send(body + next.substring(1));
            assertTrue(running.tryAcquire(2, 60, TimeUnit.SECONDS));
            server.settle();
            client.reset();
            inOnePiece.reset();
            streaming.reset();
            awaitProbed(server, 3);
            server.awaitNothingHeld();
            go.release(3);
            server.awaitRest();
            assertEquals(0, runsOfA.get(), "requests to /a that ran");
            assertEquals(List.of(), server.events.failed());
        }
    }

    /** One probe concerns only a part of so many clients. */
    @EnabledOnOs(OS.LINUX)
    @Test
    void eachOfManyClientsThatAreNotReadIsProbed() throws Exception {
        int count = 300;
        String requests = "GET /open HTTP/1.1\r\nHost: x\r\n\r\n".repeat(20);
        try (WireServer server =
                WireServer.with(new WireConfig().workers(1).queue(count).timeByHand(), site)) {
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                clients.add(server.connect().send(requests));
            }
            await().until(() -> open.size() == count);
            clients.get(count / 2).reset();
            awaitProbed(server, 1);
            for (RawClient client : clients) {
                if (client.isOpen()) {
                    client.reset();
                }
            }
            awaitProbed(server, count);
            open.forEach(exchange -> exchange.resume(() -> finish(exchange)));
        }
    }

    private static void awaitProbed(WireServer server, int gone) {
        await().until(() -> {
            server.pass(Duration.ofMillis(250));
            return server.counters.value(Counter.CLIENTS_GONE) == gone;
        });
    }

    /** A client whose bytes are not read, and that has not reset its connection, is served later. */
    @Test
    void aProbeDoesNotDisturbAnOpenConnectionThatIsNotRead() throws Exception {
        try (WireServer server = WireServer.with(new WireConfig().workers(1).timeByHand(), site);
                RawClient client = block(server)) {
            client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n".repeat(1000)).halfClose();
            for (int i = 0; i < 4; i++) {
                server.pass(Duration.ofMillis(250));
            }
            go.release();
            assertEquals("done", client.answer().body());
            for (int i = 0; i < 1000; i++) {
                assertEquals("GET /a\n", client.answer().body());
            }
            assertEquals("", client.rest());
            assertEquals(0, server.counters.value(Counter.CLIENTS_GONE));
        }
    }

    @Test
    void theLastDisconnectCallbackIsCalledOnceIfTheClientOfASuspendedRequestDisconnects() throws Exception {
        try (WireServer server = WireServer.with(new WireConfig().workers(1), site)) {
            RawClient client = server.connect().send("GET /open HTTP/1.1\r\nHost: x\r\n\r\n");
            Exchange exchange = open.poll(60, TimeUnit.SECONDS);
            assertNotNull(exchange);
            exchange.whenGone(() -> told.add("replaced"));
            exchange.whenGone(() -> told.add(Thread.currentThread().getName()));
            client.reset();
            assertEquals("worker-1", told.poll(60, TimeUnit.SECONDS));
            exchange.whenGone(() -> told.add("late"));
            assertEquals("late", told.poll(60, TimeUnit.SECONDS));
            awaitGone(server, 1);
            assertNull(told.poll());
            assertThrows(IOException.class, () -> Site.text(exchange, "for nobody"));
        }
    }

    @Test
    void theDisconnectCallbackRunsWhileTheServerFinishesItsResponses() throws Exception {
        WireServer server = WireServer.with(new WireConfig().shutdownDelay(Duration.ZERO), site);
        try (RawClient client = server.connect().send("GET /open HTTP/1.1\r\nHost: x\r\n\r\n");
                RawClient idle = server.connect().send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n")) {
            Exchange exchange = open.poll(60, TimeUnit.SECONDS);
            assertNotNull(exchange);
            exchange.whenGone(() -> told.add(Thread.currentThread().getName()));
            assertEquals("GET /a\n", idle.answer().body());
            FutureTask<Boolean> stopping = new FutureTask<>(() -> {
                server.close();
                return true;
            });
            new Thread(stopping, "stopper").start();
            assertEquals("", idle.rest()); // the server has begun to finish
            client.reset();
            String thread = told.poll(60, TimeUnit.SECONDS);
            assertTrue(thread != null && thread.startsWith("worker-"), "called by " + thread);
            assertTrue(stopping.get(60, TimeUnit.SECONDS));
        }
    }

    @Test
    void theDisconnectCallbackOfACompletedRequestDoesNotRun() throws Exception {
        try (WireServer server = WireServer.with(new WireConfig().workers(1), site)) {
            RawClient client = server.connect().send("GET /open HTTP/1.1\r\nHost: x\r\n\r\n");
            Exchange exchange = open.poll(60, TimeUnit.SECONDS);
            assertNotNull(exchange);
            exchange.whenGone(() -> told.add("told"));
            exchange.resume(() -> finish(exchange));
            assertEquals(200, client.answer().status());
            requestFromTheOnlyWorker(server); // now the worker has finished the first request
            client.reset();
            server.events.awaitClosed(2);
            requestFromTheOnlyWorker(server); // the callback would run before this request
            assertNull(told.poll());
            assertEquals(0, server.counters.value(Counter.CLIENTS_GONE), "clients that count as disconnected");
        }
    }

    private static void requestFromTheOnlyWorker(WireServer server) throws IOException {
        try (RawClient other = server.connect()) {
            other.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals("GET /a\n", other.answer().body());
        }
    }

    private void finish(Exchange exchange) {
        try {
            exchange.response().head(new ResponseHead(200, Fields.EMPTY, -1));
            exchange.response().finish(Fields.EMPTY);
        } catch (IOException e) {
            seen.add(e);
        }
    }

    @Test
    void aCloseRemovesAQueuedRequestAndItsBodyInMemoryOrOnDisk() throws Exception {
        try (WireServer server =
                        WireServer.with(new WireConfig().workers(1).queue(3).pipes(4096, 1024), site);
                RawClient blocker = block(server)) {
            for (int length : new int[] {0, 5, 4096, 100_000}) {
                try (RawClient client = server.connect()) {
                    client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: " + length + "\r\n\r\n")
                            .send(new byte[length]);
                    await().until(() -> server.transport.queue().size() == 1);
                    client.halfClose();
                    assertEquals("", client.rest());
                }
                assertEquals(0, server.transport.queue().size());
                server.awaitNothingHeld();
                await().until(() -> server.transport.spool().files() == 0);
            }
            awaitGone(server, 4);
            assertOnlyServed(blocker);
            assertEquals(List.of(), server.events.failed());
        }
    }

    /** With TLS, the alert close_notify is the end of the client's bytes. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aRequestThatComesTogetherWithTheCloseIsRemovedIfAllWorkersAreBusy(boolean overTls) throws Exception {
        WireConfig config = new WireConfig().workers(1);
        try (WireServer server = WireServer.with(overTls ? config.overTls() : config, site);
                RawClient blocker = block(server);
                RawClient client = server.connect()) {
            client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n").halfClose();
            assertEquals("", client.rest());
            awaitGone(server, 1);
            assertOnlyServed(blocker);
        }
    }

    /** The client reads its responses late, so the end of an earlier response still waits for the client. */
    @Test
    void theResponsesBeforeARemovedRequestAreSentCompletely() throws Exception {
        byte[] large = new byte[60_000];
        site.on("/large", exchange -> {
            exchange.response().head(new ResponseHead(200, Fields.EMPTY, large.length));
            exchange.response().write(ByteBuffer.wrap(large), true);
        });
        try (WireServer server = WireServer.with(new WireConfig().workers(1).sendBuffer(4096), site);
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
            server.awaitHeld();
            try (RawClient blocker = block(server)) {
                client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n".repeat(3));
                await().until(() -> server.transport.queue().size() == 1);
                client.halfClose();
                await().until(() -> server.transport.queue().size() == 0);
                assertEquals(large.length, client.answer().body().length());
                assertEquals("", client.rest());
                go.release();
                assertEquals("done", blocker.answer().body());
            }
            awaitGone(server, 1);
            server.awaitNothingHeld();
            assertEquals(0, runsOfA.get());
        }
    }

    /** The request that runs is answered. The next request of this client would delay the request of the other client. */
    @Test
    void theParkedRequestsOfAClosedClientGiveWayToOtherClients() throws Exception {
        try (WireServer server = WireServer.with(new WireConfig().workers(1), site);
                RawClient client = block(server);
                RawClient other = server.connect()) {
            client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n".repeat(3)).halfClose();
            server.settle();
            other.send("GET /block HTTP/1.1\r\nHost: x\r\n\r\n");
            await().until(() -> server.transport.queue().size() == 1);
            go.release();
            assertEquals("done", client.answer().body());
            assertEquals("", client.rest());
            assertTrue(running.tryAcquire(60, TimeUnit.SECONDS));
            go.release();
            assertEquals("done", other.answer().body());
            awaitGone(server, 1);
            server.awaitNothingHeld();
            assertEquals(0, runsOfA.get());
        }
    }

    @Test
    void aCloseRemovesAQueuedStreamingRequestWhoseBodyIsIncomplete() throws Exception {
        try (WireServer server = WireServer.with(new WireConfig().workers(1), site);
                RawClient blocker = block(server);
                RawClient client = server.connect()) {
            client.send("POST /stream HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhello");
            await().until(() -> server.transport.queue().size() == 1);
            client.halfClose();
            assertEquals("", client.rest());
            server.awaitNothingHeld();
            assertOnlyServed(blocker);
        }
    }

    @Test
    void aHalfClosedClientDoesNotCountAsDisconnectedIfHalfCloseIsOn() throws Exception {
        try (WireServer server = WireServer.with(new WireConfig().workers(1).halfClose(), site);
                RawClient blocker = block(server);
                RawClient client = server.connect()) {
            client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n").halfClose();
            server.settle();
            assertEquals(1, server.transport.queue().size());
            go.release();
            assertEquals("done", blocker.answer().body());
            assertEquals("GET /a\n", client.answer().body());
            assertEquals(0, server.counters.value(Counter.CLIENTS_GONE));
        }
    }
}

package io.penstock.http1;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.penstock.address.Network;
import io.penstock.exchange.Bulkhead;
import io.penstock.limits.AddressLimits;
import io.penstock.limits.BulkheadLimits;
import io.penstock.limits.Key;
import io.penstock.limits.Listen.ConnectionsPolicy;
import io.penstock.metrics.Refusals;
import io.penstock.metrics.RequestMetrics;
import io.penstock.pipe.Segment;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Some limits make the server refuse a client or a request. Each of these limits must have a counter. The test exceeds each of these
 * limits. The test fails for a new limit until {@code exceed} has a case for this limit.
 */
final class EveryRefusalIsCountedTest {
    private static final String GET = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final String BLOCK = "GET /block HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final String CHUNKED = "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
    private static final Network LOOPBACK = Network.parse("127.0.0.0/8");
    private static final Network OTHERS = Network.parse("192.0.2.0/24");
    private static final int TIMEOUT_MILLIS = 100;

    /**
     * The number of queued requests. With one worker, an overloaded queue keeps fewer requests than this number, so the server refuses the
     * next request.
     */
    private static final int MANY_REQUESTS = 30;

    private final RequestMetrics metrics = new RequestMetrics();
    private final RecordedEvents events = new RecordedEvents() {
        @Override
        public void refused(String connection, int status, String reason) {
            super.refused(connection, status, reason);
            metrics.refused(connection, status, reason);
        }
    };
    private final Semaphore running = new Semaphore(0);
    private final Semaphore go = new Semaphore(0);
    private final Site site = new Site()
            .bulkhead(Bulkhead.of(new BulkheadLimits("/bulkhead", 1, 0, BulkheadLimits.NO_LIMIT)))
            .on("/bulkhead", exchange -> {
                running.release();
                go.acquire();
                Site.text(exchange, "done");
            })
            .on("/block", exchange -> {
                running.release();
                go.acquire();
                Site.text(exchange, "done");
            })
            .on("/hang", exchange -> {
                running.release();
                go.acquireUninterruptibly();
                assertThrows(IOException.class, () -> Site.text(exchange, "too late"));
            });
    private final List<RawClient> clients = new ArrayList<>();
    private final List<Segment> taken = new ArrayList<>();

    private void closeClients() throws IOException {
        for (RawClient client : clients) {
            client.close();
        }
    }

    static Stream<Key> refusals() {
        return Arrays.stream(Key.values()).filter(key -> key.consequence().isRefusal());
    }

    @Test
    void theMetricsContainEachKindOfRefusalFromTheStart() {
        assertEquals(
                refusals()
                        .map(key -> new Refusals.Kind(key.consequence().status(), key.id()))
                        .collect(Collectors.toSet()),
                metrics.refusals().keySet());
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void eachKindOfRefusalIsSentToTheClientAndCounted(Key key) throws Exception {
        Refusals.Kind row = new Refusals.Kind(key.consequence().status(), key.id());
        try (WireServer server = new WireServer(config(key), site, events)) {
            try {
                RawClient refused = exceed(key, server);
                assertEquals(row.status(), refused.answer().status());
                await().until(() -> metrics.refusals().getOrDefault(row, 0L) > 0);
                assertTrue(server.counters.value(
                                Objects.requireNonNull(key.consequence().counter()))
                        > 0);
            } finally {
                taken.forEach(Segment::release);
                go.release(MANY_REQUESTS);
                closeClients(); // otherwise, the server would wait for the clients when it stops
            }
        }
    }

    private static WireConfig config(Key key) {
        WireConfig usual = new WireConfig().workers(1);
        return switch (key) {
            case MAX_CONNECTIONS -> usual.maxConnections(1, ConnectionsPolicy.REFUSE);
            case MAX_CONNECTIONS_ADDRESS -> usual.addresses(new AddressLimits(List.of(), List.of(), 0, 1, 1, 1));
            case ALLOWED_ADDRESSES -> usual.addresses(new AddressLimits(List.of(OTHERS), List.of(), 0, 1, 1, 0));
            case DENIED_ADDRESSES -> usual.addresses(new AddressLimits(List.of(), List.of(LOOPBACK), 0, 1, 1, 0));
            case REQUEST_RATE -> usual.timeByHand().addresses(new AddressLimits(List.of(), List.of(), 1, 1, 1, 0));
            case QUEUE -> usual.queue(1);
            case QUEUE_AGE -> usual.timeByHand().queueAge(TIMEOUT_MILLIS);
            case OVERLOAD_AFTER -> usual.timeByHand().overloadAfter(TIMEOUT_MILLIS);
            case SPOOL_LIMIT -> usual.pipes(4096, 1024).spoolLimit(50_000);
            case HEAD_BUDGET -> usual.headBudget(100_000);
            case HEAD_TIMEOUT -> usual.timeByHand().headTimeout(TIMEOUT_MILLIS);
            case BODY_STALL_TIMEOUT -> usual.timeByHand().bodyStall(TIMEOUT_MILLIS);
            case BODY_TOTAL_TIMEOUT ->
                usual.timeByHand().bodyStall(TIMEOUT_MILLIS).bodyMinRate(0).bodyTotal(3 * TIMEOUT_MILLIS);
            case BODY_MIN_RATE -> usual.timeByHand().bodyStall(TIMEOUT_MILLIS).bodyMinRate(10_000_000);
            case SERVICE_TIMEOUT -> usual.timeByHand().serviceTimeout(TIMEOUT_MILLIS);
            default -> usual;
        };
    }

    /** Exceeds the limit of this key. Returns the client that the server refuses. */
    private RawClient exceed(Key key, WireServer server) throws Exception {
        return switch (key) {
            case MAX_CONNECTIONS, MAX_CONNECTIONS_ADDRESS -> {
                assertEquals(200, client(server, GET).answer().status());
                yield client(server, "");
            }
            case ALLOWED_ADDRESSES, DENIED_ADDRESSES -> client(server, GET);
            case UNKNOWN_HOST -> client(server, "GET /elsewhere HTTP/1.1\r\nHost: x\r\n\r\n");
            case TRACE_METHOD -> client(server, "TRACE / HTTP/1.1\r\nHost: x\r\n\r\n");
            case REQUEST_RATE -> {
                RawClient fast = client(server, GET);
                assertEquals(200, fast.answer().status());
                yield fast.send(GET);
            }
            case QUEUE -> {
                block(server);
                client(server, GET);
                server.settle();
                yield client(server, GET);
            }
            case BULKHEAD_QUEUE -> {
                String request = "GET /bulkhead HTTP/1.1\r\nHost: x\r\n\r\n";
                client(server, request);
                awaitRunning();
                yield client(server, request);
            }
            case QUEUE_AGE -> {
                block(server);
                RawClient waiting = client(server, GET);
                server.pass(Duration.ofMillis(2 * TIMEOUT_MILLIS));
                yield waiting;
            }
            case OVERLOAD_AFTER -> {
                block(server);
                for (int i = 0; i < MANY_REQUESTS; i++) {
                    client(server, GET);
                }
                await().until(() -> server.transport.queue().size() == MANY_REQUESTS);
                server.pass(Duration.ofMillis(TIMEOUT_MILLIS));
                yield client(server, GET);
            }
            case PIPE_BUDGET -> {
                takeAllMemory(server);
                client(server, BLOCK);
                awaitRunning();
                RawClient ahead = clients.get(0);
                ahead.send(GET.repeat(ResponseSlot.MAX_PARKED + 1));
                server.settle();
                go.release();
                assertEquals("done", ahead.answer().body());
                for (int i = 0; i < ResponseSlot.MAX_PARKED; i++) {
                    assertEquals(200, ahead.answer().status());
                }
                yield ahead;
            }
            case SPOOL_LIMIT -> {
                client(server, head(45_000) + "x".repeat(44_000));
                await().until(() -> server.transport.spool().used() > 40_000);
                yield client(server, head(45_000) + "x".repeat(20_000));
            }
            case HEAD_BUDGET -> client(server, "GET /a HTTP/1.1\r\nHost: x\r\nX: " + "y".repeat(20_000) + "\r\n\r\n");
            case REQUEST_LINE_LIMIT -> client(server, "GET /" + "a".repeat(9000));
            case HEADER_BYTES_LIMIT -> client(server, "GET /a HTTP/1.1\r\nHost: x\r\nX: " + "y".repeat(40_000));
            case HEADER_COUNT_LIMIT -> client(server, "GET /a HTTP/1.1\r\nHost: x\r\n" + "X: y\r\n".repeat(101));
            case CHUNK_EXTENSION_LIMIT -> client(server, CHUNKED + "1;x=" + "y".repeat(2000));
            case TRAILER_BYTES_LIMIT -> client(server, CHUNKED + "0\r\nX: " + "y".repeat(9000));
            case BODY_LIMIT -> client(server, "POST /limited HTTP/1.1\r\nHost: x\r\nContent-Length: 11\r\n\r\n");
            case HEAD_TIMEOUT -> afterTheTimeout(server, client(server, "GET /a HTTP/1.1\r\nHost:"));
            case BODY_STALL_TIMEOUT -> afterTheTimeout(server, client(server, head(5) + "ab"));
            case BODY_TOTAL_TIMEOUT, BODY_MIN_RATE -> sendSlowly(server);
            case SERVICE_TIMEOUT -> {
                RawClient hung = client(server, "GET /hang HTTP/1.1\r\nHost: x\r\n\r\n");
                awaitRunning();
                server.pass(Duration.ofMillis(TIMEOUT_MILLIS)); // now the server interrupts the handler
                server.pass(Duration.ofMillis(TIMEOUT_MILLIS));
                yield hung;
            }
            case SHUTDOWN_TIMEOUT -> {
                RawClient late = client(server, head(5) + "ab");
                server.settle();
                server.transport.stop(Duration.ZERO);
                yield late;
            }
            default -> fail("this test has no case for the limit " + key.id());
        };
    }

    private RawClient client(WireServer server, String text) throws IOException {
        RawClient client = server.connect().send(text);
        clients.add(client);
        return client;
    }

    private static String head(int length) {
        return "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: " + length + "\r\n\r\n";
    }

    private void block(WireServer server) throws Exception {
        client(server, BLOCK);
        awaitRunning();
    }

    private void awaitRunning() throws InterruptedException {
        assertTrue(running.tryAcquire(60, TimeUnit.SECONDS));
    }

    private static RawClient afterTheTimeout(WireServer server, RawClient client) throws IOException {
        server.pass(Duration.ofMillis(TIMEOUT_MILLIS + 20));
        return client;
    }

    /** Sends one byte at a time until the server reports a timeout. */
    private RawClient sendSlowly(WireServer server) throws IOException {
        RawClient client = client(server, head(1_000_000));
        while (server.events.timedOut().isEmpty()) {
            client.send("x");
            server.pass(Duration.ofMillis(TIMEOUT_MILLIS / 4));
        }
        return client;
    }

    private void takeAllMemory(WireServer server) {
        Segment next = server.transport.pool().tryAcquireReserved();
        while (next != null) {
            taken.add(next);
            next = server.transport.pool().tryAcquireReserved();
        }
    }
}

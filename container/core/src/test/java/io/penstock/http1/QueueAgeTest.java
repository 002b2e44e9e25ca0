package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.Counter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * A request that waits too long in the queue is refused with status 503. The server sends exactly one response, without a worker, and the
 * request never runs.
 */
final class QueueAgeTest {
    private static final int AGE_MILLIS = 400;

    /** A time that is one tick of the timers longer than {@link #AGE_MILLIS}. */
    private static final Duration LONGER_THAN_AGE = Duration.ofMillis(AGE_MILLIS + 20);

    private static final String GET_A = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";

    private final Semaphore go = new Semaphore(0);
    private final Semaphore running = new Semaphore(0);
    private final AtomicInteger ranA = new AtomicInteger();
    private final Site site = new Site()
            .on("/block", exchange -> {
                running.release();
                go.acquire();
                Site.text(exchange, "done");
            })
            .on("/stream/block", exchange -> {
                running.release();
                go.acquire();
                Site.echo(exchange);
            })
            .on("/a", exchange -> {
                ranA.incrementAndGet();
                Site.echo(exchange);
            });

    private WireConfig config() {
        return new WireConfig().timeByHand().workers(1).queueAge(AGE_MILLIS);
    }

    private RawClient block(WireServer server, String request) throws Exception {
        RawClient client = server.connect().send(request);
        assertTrue(running.tryAcquire(60, TimeUnit.SECONDS));
        return client;
    }

    private RawClient block(WireServer server) throws Exception {
        return block(server, "GET /block HTTP/1.1\r\nHost: x\r\n\r\n");
    }

    private static void assertRefusedForAge(Answer answer) {
        assertEquals(503, answer.status());
        int seconds = Integer.parseInt(answer.field("Retry-After"));
        assertTrue(seconds >= 1 && seconds <= 60, "seconds in Retry-After: " + seconds);
    }

    /** Returns the refusals. The requests of {@link WireServer#settle} are also refused, but are not in this list. */
    private static List<String> refusedForAge(WireServer server) {
        return server.events.refused().stream()
                .filter(refused -> !refused.startsWith("404"))
                .toList();
    }

    @Test
    void aRequestThatWaitsTooLongIsRefusedAndTheConnectionStaysOpen() throws Exception {
        try (WireServer server = WireServer.with(config(), site);
                RawClient blocker = block(server);
                RawClient client = server.connect()) {
            client.send(GET_A);
            server.pass(Duration.ofMillis(AGE_MILLIS - 1));
            assertEquals(List.of(), refusedForAge(server));
            assertEquals(1, server.transport.queue().size());
            server.pass(Duration.ofMillis(21));
            Answer answer = client.answer();
            assertRefusedForAge(answer);
            assertEquals("", answer.field("Connection"));
            assertEquals(List.of("503 queue-age"), refusedForAge(server));
            assertEquals(1, server.counters.value(Counter.QUEUE_AGED));
            assertEquals(0, server.transport.queue().size());
            go.release();
            assertEquals("done", blocker.answer().body());
            assertEquals(0, ranA.get());
            client.send(GET_A);
            assertEquals("GET /a\n", client.answer().body());
        }
    }

    @Test
    void theBodyIsReleasedAndConnectionCloseIsHonouredIfTheRequestWaitsTooLong() throws Exception {
        try (WireServer server = WireServer.with(config(), site);
                RawClient blocker = block(server);
                RawClient client = server.connect()) {
            client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello");
            server.pass(LONGER_THAN_AGE);
            Answer answer = client.answer();
            assertRefusedForAge(answer);
            assertEquals("close", answer.field("Connection"));
            assertEquals("", client.rest());
            server.awaitNothingHeld();
            go.release();
            assertEquals("done", blocker.answer().body());
        }
    }

    @Test
    void aRequestThatRunsLongerThanTheQueueAgeIsNotRefused() throws Exception {
        try (WireServer server = WireServer.with(config(), site);
                RawClient blocker = block(server);
                RawClient client = server.connect()) {
            client.send("GET /block HTTP/1.1\r\nHost: x\r\n\r\n");
            server.settle();
            go.release();
            assertEquals("done", blocker.answer().body());
            assertTrue(running.tryAcquire(60, TimeUnit.SECONDS));
            server.pass(LONGER_THAN_AGE);
            server.pass(LONGER_THAN_AGE);
            go.release();
            assertEquals("done", client.answer().body());
            client.send(GET_A);
            assertEquals("GET /a\n", client.answer().body());
            assertEquals(0, server.counters.value(Counter.QUEUE_AGED));
        }
    }

    /** The refusal of the first request decides nothing about the upgrade behind it, nor about the bytes behind the upgrade. */
    @Test
    void anUpgradeBehindARefusedRequestGetsTheBytesBehindIt() throws Exception {
        site.on("/up", RawEcho.switching());
        try (WireServer server = WireServer.with(config(), site);
                RawClient blocker = block(server);
                RawClient client = server.connect()) {
            client.send(GET_A + RawEcho.REQUEST + "raw");
            server.pass(LONGER_THAN_AGE);
            assertRefusedForAge(client.answer());
            go.release();
            assertEquals("done", blocker.answer().body());
            assertEquals(101, client.answer().status());
            assertEquals("raw", new String(client.exactly(3), StandardCharsets.ISO_8859_1));
        }
    }

    @Test
    void theQueueTimeOfEachPipelinedRequestIsMeasuredSeparately() throws Exception {
        try (WireServer server = WireServer.with(config(), site);
                RawClient blocker = block(server);
                RawClient client = server.connect()) {
            client.send(GET_A + GET_A + "GET /refused HTTP/1.1\r\nHost: x\r\n\r\n" + GET_A);
            server.pass(LONGER_THAN_AGE);
            assertRefusedForAge(client.answer());
            server.pass(LONGER_THAN_AGE);
            assertRefusedForAge(client.answer());
            assertEquals(404, client.answer().status());
            go.release();
            assertEquals("done", blocker.answer().body());
            assertEquals("GET /a\n", client.answer().body());
            assertEquals(1, ranA.get());
        }
    }

    /**
     * If other clients wait, a worker serves at most sixteen requests of one client in a row. Then the next request of this client waits
     * behind the requests of the other clients. If the worker is faster than the client, this happens after fewer requests.
     */
    @Test
    void aRequestIsRefusedIfItWaitsTooLongBehindOtherClients() throws Exception {
        int count = 40;
        try (WireServer server = WireServer.with(config(), site);
                RawClient blocker = block(server);
                RawClient client = server.connect()) {
            client.send(GET_A);
            server.settle();
            try (RawClient other = server.connect().send("GET /block HTTP/1.1\r\nHost: x\r\n\r\n")) {
                server.settle();
                client.send(GET_A.repeat(count - 1));
                server.settle();
                go.release();
                assertEquals("done", blocker.answer().body());
                assertTrue(running.tryAcquire(60, TimeUnit.SECONDS)); // the request of the other client runs
                server.pass(LONGER_THAN_AGE);
                List<Integer> answers = new ArrayList<>();
                while (answers.isEmpty() || answers.get(answers.size() - 1) == 200) {
                    answers.add(client.answer().status());
                }
                assertTrue(answers.size() > 1 && answers.size() <= 18, "statuses of the responses: " + answers);
                assertEquals(503, answers.get(answers.size() - 1));
                assertEquals(List.of("503 queue-age"), refusedForAge(server));
                go.release();
                assertEquals("done", other.answer().body());
                for (int i = answers.size(); i < count; i++) {
                    assertEquals("GET /a\n", client.answer().body());
                }
            }
        }
    }

    @Test
    void aStreamingRequestThatWaitsTooLongIsRefusedAndTheConnectionEnds() throws Exception {
        String post = "POST /stream/block HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhel";
        try (WireServer server = WireServer.with(config().workers(2).maxStreaming(1), site);
                RawClient blocker = block(server, post);
                RawClient client = server.connect()) {
            client.send(post);
            server.pass(LONGER_THAN_AGE);
            Answer answer = client.answer();
            assertRefusedForAge(answer);
            assertEquals("close", answer.field("Connection"));
            assertEquals("", client.rest());
            go.release();
            blocker.send("lo hell");
            assertEquals("POST /stream/block\nhello hell", blocker.answer().body());
        }
    }
}

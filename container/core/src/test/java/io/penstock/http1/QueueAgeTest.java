package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.Counter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A request that no worker takes in time is answered without one, once, and never runs. */
final class QueueAgeTest {
    private static final int AGE = 400;
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
        return new WireConfig().workers(1).queueAge(AGE);
    }

    private RawClient block(WireServer server, String request) throws Exception {
        RawClient client = server.connect().send(request);
        assertTrue(running.tryAcquire(20, TimeUnit.SECONDS));
        return client;
    }

    private RawClient block(WireServer server) throws Exception {
        return block(server, "GET /block HTTP/1.1\r\nHost: x\r\n\r\n");
    }

    private static void assertAged(Answer answer) {
        assertEquals(503, answer.status());
        int seconds = Integer.parseInt(answer.field("Retry-After"));
        assertTrue(seconds >= 1 && seconds <= 60, "Retry-After: " + seconds);
    }

    @Test
    void requestThatWaitsTooLongIsAnsweredAndItsConnectionGoesOn() throws Exception {
        try (WireServer server = WireServer.with(config(), site);
                RawClient blocker = block(server);
                RawClient client = server.connect()) {
            long began = System.nanoTime();
            client.send(GET_A);
            Answer answer = client.answer();
            Duration took = Duration.ofNanos(System.nanoTime() - began);
            assertAged(answer);
            assertEquals("", answer.field("Connection"));
            assertTrue(took.toMillis() >= AGE - 20 && took.toMillis() < AGE + 1000, took.toString());
            assertEquals(List.of("503 queue-age"), server.events.refused());
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
    void itsBodyGoesBackAndAConnectionThatWouldHaveEndedEnds() throws Exception {
        try (WireServer server = WireServer.with(config(), site);
                RawClient blocker = block(server);
                RawClient client = server.connect()) {
            client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello");
            Answer answer = client.answer();
            assertAged(answer);
            assertEquals("close", answer.field("Connection"));
            assertEquals("", client.rest());
            server.awaitNothingHeld();
            go.release();
            assertEquals("done", blocker.answer().body());
        }
    }

    @Test
    void requestThatIsTakenInTimeMayTakeAnyTime() throws Exception {
        try (WireServer server = WireServer.with(config(), site);
                RawClient blocker = block(server);
                RawClient client = server.connect();
                RawClient clock = server.connect()) {
            client.send("GET /block HTTP/1.1\r\nHost: x\r\n\r\n");
            server.settle();
            go.release();
            assertEquals("done", blocker.answer().body());
            assertTrue(running.tryAcquire(20, TimeUnit.SECONDS));
            for (int i = 0; i < 2; i++) { // that of another client tells that more than the time has passed
                clock.send(GET_A);
                assertAged(clock.answer());
            }
            go.release();
            assertEquals("done", client.answer().body());
            client.send(GET_A);
            assertEquals("GET /a\n", client.answer().body());
            assertEquals(2, server.counters.value(Counter.QUEUE_AGED));
        }
    }

    @Test
    void whatIsPipelinedBehindItHasItsOwnTime() throws Exception {
        try (WireServer server = WireServer.with(config(), site);
                RawClient blocker = block(server);
                RawClient client = server.connect()) {
            client.send(GET_A + GET_A + "GET /refused HTTP/1.1\r\nHost: x\r\n\r\n" + GET_A);
            assertAged(client.answer());
            assertAged(client.answer());
            assertEquals(404, client.answer().status());
            go.release();
            assertEquals("done", blocker.answer().body());
            assertEquals("GET /a\n", client.answer().body());
            assertEquals(1, ranA.get());
        }
    }

    /** After sixteen in a row, or if the worker was quicker than the client, the next request waits behind the others. */
    @Test
    void requestThatGivesWayToOthersAgesToo() throws Exception {
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
                List<Integer> answers = new ArrayList<>();
                while (answers.isEmpty() || answers.get(answers.size() - 1) == 200) {
                    answers.add(client.answer().status());
                }
                assertTrue(answers.size() > 1 && answers.size() <= 18, answers.toString());
                assertEquals(503, answers.get(answers.size() - 1));
                assertEquals(
                        List.of("503 queue-age"),
                        server.events.refused().stream()
                                .filter(refused -> !refused.startsWith("404"))
                                .toList());
                go.release();
                assertEquals("done", other.answer().body());
                for (int i = answers.size(); i < count; i++) {
                    assertEquals("GET /a\n", client.answer().body());
                }
            }
        }
    }

    @Test
    void streamingRequestThatWaitsForItsShareAgesAndItsConnectionEnds() throws Exception {
        String post = "POST /stream/block HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhel";
        try (WireServer server = WireServer.with(config().workers(2).maxStreaming(1), site);
                RawClient blocker = block(server, post);
                RawClient client = server.connect()) {
            client.send(post);
            Answer answer = client.answer();
            assertAged(answer);
            assertEquals("close", answer.field("Connection"));
            assertEquals("", client.rest());
            go.release();
            blocker.send("lo hell");
            assertEquals("POST /stream/block\nhello hell", blocker.answer().body());
        }
    }
}

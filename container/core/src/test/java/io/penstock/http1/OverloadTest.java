package io.penstock.http1;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.Counter;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Clients send many more requests than the workers can serve. The workers serve as many requests as possible, and the server refuses the
 * other requests soon.
 */
final class OverloadTest {
    private static final int CLIENTS = 54;

    private final ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);

    @AfterEach
    void endClients() {
        clients.shutdownNow();
    }

    // ---- more requests than the workers can serve

    private static final int WORKERS = 4;
    private static final int QUEUE = 40;
    private static final int REFUSED_AT_ONCE = CLIENTS - WORKERS - QUEUE;
    private static final int DONE_A_ROUND = 10;
    private static final int ROUNDS = 5;
    private static final int AGE = 150;
    private static final String GET = "GET /work HTTP/1.1\r\nHost: x\r\n\r\n";

    /** Clients that send their next request after each answer. The class counts the answers of these clients. */
    private final class Rush {
        private final List<RawClient> idle = new ArrayList<>();
        private final List<Asked> waiting = new ArrayList<>();
        private int good;
        private int refused;

        private record Asked(RawClient client, Future<Integer> status) {}

        Rush(WireServer server) throws IOException {
            for (int i = 0; i < CLIENTS; i++) {
                idle.add(server.connect());
            }
        }

        void ask(int most) {
            List<RawClient> asking = idle.subList(0, Math.min(most, idle.size()));
            for (RawClient client : asking) {
                waiting.add(new Asked(
                        client, clients.submit(() -> client.send(GET).answer().status())));
            }
            asking.clear();
        }

        /** Waits until the given numbers of further answers have arrived. */
        void awaitAnswers(int moreGood, int moreRefused) {
            int goodThen = good + moreGood;
            int refusedThen = refused + moreRefused;
            await().untilAsserted(() -> {
                collect();
                assertEquals(goodThen, good, "answers with 200");
                assertEquals(refusedThen, refused, "answers with 503");
            });
        }

        private void collect() throws Exception {
            for (Iterator<Asked> i = waiting.iterator(); i.hasNext(); ) {
                Asked asked = i.next();
                if (asked.status().isDone()) {
                    if (asked.status().get() == 200) {
                        good++;
                    } else {
                        assertEquals(503, asked.status().get());
                        refused++;
                    }
                    idle.add(asked.client());
                    i.remove();
                }
            }
        }

        void close() throws IOException {
            for (RawClient client : idle) {
                client.close();
            }
        }
    }

    /**
     * No worker is idle while requests wait. No request waits longer than the age limit of the queue. Time passes only between the steps.
     */
    @Test
    void workersServeAsManyRequestsAsPossibleAndOthersAreRefused() throws Exception {
        Semaphore mayEnd = new Semaphore(0);
        AtomicInteger calls = new AtomicInteger();
        Site site = new Site().on("/work", exchange -> {
            mayEnd.acquire();
            calls.incrementAndGet();
            Site.text(exchange, "done");
        });
        WireConfig config =
                new WireConfig().timeByHand().workers(WORKERS).queue(QUEUE).queueAge(AGE);
        try (WireServer server = WireServer.with(config, site)) {
            Rush rush = new Rush(server);
            rush.ask(WORKERS);
            await().until(() -> server.transport.workers().busy(worker -> true) == WORKERS);
            for (int round = 0; round < ROUNDS; round++) {
                rush.ask(CLIENTS);
                await().until(() -> server.transport.queue().size() == QUEUE);
                rush.awaitAnswers(0, REFUSED_AT_ONCE);
                server.pass(Duration.ofMillis(AGE - 1));
                mayEnd.release(DONE_A_ROUND);
                rush.awaitAnswers(DONE_A_ROUND, 0);
                await().until(() -> server.transport.queue().size() == QUEUE - DONE_A_ROUND);
                server.pass(Duration.ofMillis(21));
                rush.awaitAnswers(0, QUEUE - DONE_A_ROUND);
            }
            mayEnd.release(WORKERS);
            rush.awaitAnswers(WORKERS, 0);
            assertEquals(calls.get(), rush.good, "answers to finished calls");
            assertEquals(ROUNDS * REFUSED_AT_ONCE, server.counters.value(Counter.QUEUE_FULL));
            assertEquals(ROUNDS * (QUEUE - DONE_A_ROUND), server.counters.value(Counter.QUEUE_AGED));
            mayEnd.release();
            try (RawClient client = server.connect().send(GET)) {
                assertEquals("done", client.answer().body(), "the answer after the overload");
            }
            assertEquals(List.of(), server.events.failed());
            rush.close();
        }
    }

    // ---- clients that come and go

    private static final int COMERS = 12;
    private static final int VISITS = 60;

    /** Sends up to four requests at once, reads some of the answers, and ends the connection in one of several ways. */
    private static void comeAndGo(WireServer server, Random random) throws IOException {
        int requests = 1 + random.nextInt(4);
        StringBuilder message = new StringBuilder();
        for (int i = 0; i < requests; i++) {
            message.append(
                    random.nextBoolean()
                            ? GET
                            : "POST /stream/work HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello");
        }
        RawClient client = server.connect().send(message.toString());
        for (int i = random.nextInt(requests + 1); i > 0; i--) {
            Answer answer = client.answer();
            assertTrue(answer.status() == 200 || answer.status() == 503, answer.statusLine());
            if (answer.field("Connection").equals("close")) {
                break;
            }
        }
        if (random.nextBoolean()) {
            client.reset();
        } else {
            client.close();
        }
    }

    /**
     * The workers wait until some requests have waited too long and some clients have disconnected. Then the workers continue at full
     * speed.
     */
    @Test
    void allResourcesOfDisconnectedClientsAreReleased() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Site site = new Site()
                .on("/work", exchange -> {
                    go.await();
                    Site.text(exchange, "done");
                })
                .on("/stream/work", exchange -> {
                    go.await();
                    Site.echo(exchange);
                });
        WireConfig config = new WireConfig().workers(2).maxStreaming(1).queue(6).queueAge(20);
        try (WireServer server = WireServer.with(config, site)) {
            List<Future<?>> gone = new ArrayList<>();
            for (int i = 0; i < COMERS; i++) {
                Random random = new Random(i);
                gone.add(clients.submit(() -> {
                    for (int visits = 0; visits < VISITS || go.getCount() > 0; visits++) {
                        comeAndGo(server, random);
                    }
                    return true;
                }));
            }
            await().until(() ->
                    server.counters.value(Counter.QUEUE_AGED) > 0 && server.counters.value(Counter.CLIENTS_GONE) > 0);
            go.countDown();
            for (Future<?> one : gone) {
                one.get();
            }
            await().until(() -> server.transport.connections().open().count() == 0);
            server.awaitNothingHeld();
            await().until(() -> server.transport.queue().size() == 0);
            assertEquals(List.of(), server.events.failed());
            try (RawClient client = server.connect().send(GET)) {
                assertEquals("done", client.answer().body());
            }
        }
    }
}

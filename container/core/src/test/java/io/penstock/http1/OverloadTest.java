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
 * Clients send many more requests than the workers can serve. The workers serve as many requests as possible, and the server soon refuses
 * the other requests.
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
    private static final int REFUSED_PER_ROUND = CLIENTS - WORKERS - QUEUE;
    private static final int SERVED_PER_ROUND = 10;
    private static final int ROUNDS = 5;
    private static final int QUEUE_AGE_MILLIS = 150;
    private static final String GET = "GET /work HTTP/1.1\r\nHost: x\r\n\r\n";

    /** Each client sends its next request only after the response to the previous request. This class counts the responses. */
    private final class RepeatingClients {
        private final List<RawClient> idle = new ArrayList<>();
        private final List<PendingRequest> waiting = new ArrayList<>();
        private int good;
        private int refused;

        private record PendingRequest(RawClient client, Future<Integer> status) {}

        RepeatingClients(WireServer server) throws IOException {
            for (int i = 0; i < CLIENTS; i++) {
                idle.add(server.connect());
            }
        }

        void sendRequests(int most) {
            List<RawClient> free = idle.subList(0, Math.min(most, idle.size()));
            for (RawClient client : free) {
                waiting.add(new PendingRequest(
                        client, clients.submit(() -> client.send(GET).answer().status())));
            }
            free.clear();
        }

        /** Waits until the given numbers of further responses have arrived. */
        void awaitResponses(int moreGood, int moreRefused) {
            int goodThen = good + moreGood;
            int refusedThen = refused + moreRefused;
            await().untilAsserted(() -> {
                collect();
                assertEquals(goodThen, good, "the number of responses with status 200");
                assertEquals(refusedThen, refused, "the number of responses with status 503");
            });
        }

        private void collect() throws Exception {
            for (Iterator<PendingRequest> i = waiting.iterator(); i.hasNext(); ) {
                PendingRequest pending = i.next();
                if (pending.status().isDone()) {
                    if (pending.status().get() == 200) {
                        good++;
                    } else {
                        assertEquals(503, pending.status().get());
                        refused++;
                    }
                    idle.add(pending.client());
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
     * No worker is idle while requests wait. No request waits longer than the age limit of the queue. The clock advances only when the test
     * calls {@code pass}.
     */
    @Test
    void workersServeAsManyRequestsAsPossibleAndTheServerRefusesTheOtherRequests() throws Exception {
        Semaphore mayReturn = new Semaphore(0);
        AtomicInteger calls = new AtomicInteger();
        Site site = new Site().on("/work", exchange -> {
            mayReturn.acquire();
            calls.incrementAndGet();
            Site.text(exchange, "done");
        });
        WireConfig config =
                new WireConfig().timeByHand().workers(WORKERS).queue(QUEUE).queueAge(QUEUE_AGE_MILLIS);
        try (WireServer server = WireServer.with(config, site)) {
            RepeatingClients repeating = new RepeatingClients(server);
            repeating.sendRequests(WORKERS);
            await().until(() -> server.transport.workers().busy(worker -> true) == WORKERS);
            for (int round = 0; round < ROUNDS; round++) {
                repeating.sendRequests(CLIENTS);
                await().until(() -> server.transport.queue().size() == QUEUE);
                repeating.awaitResponses(0, REFUSED_PER_ROUND);
                server.pass(Duration.ofMillis(QUEUE_AGE_MILLIS - 1));
                mayReturn.release(SERVED_PER_ROUND);
                repeating.awaitResponses(SERVED_PER_ROUND, 0);
                await().until(() -> server.transport.queue().size() == QUEUE - SERVED_PER_ROUND);
                server.pass(Duration.ofMillis(21));
                repeating.awaitResponses(0, QUEUE - SERVED_PER_ROUND);
            }
            mayReturn.release(WORKERS);
            repeating.awaitResponses(WORKERS, 0);
            assertEquals(calls.get(), repeating.good, "the number of responses with status 200");
            assertEquals(ROUNDS * REFUSED_PER_ROUND, server.counters.value(Counter.QUEUE_FULL));
            assertEquals(ROUNDS * (QUEUE - SERVED_PER_ROUND), server.counters.value(Counter.QUEUE_AGED));
            mayReturn.release();
            try (RawClient client = server.connect().send(GET)) {
                assertEquals("done", client.answer().body(), "the body of a response after the overload");
            }
            assertEquals(List.of(), server.events.failed());
            repeating.close();
        }
    }

    // ---- clients that disconnect early

    private static final int DISCONNECTING_CLIENTS = 12;
    private static final int CONNECTIONS_PER_CLIENT = 60;

    /** Sends up to four requests at once, and reads some of the responses. Then closes or resets the connection. */
    private static void sendRequestsAndDisconnect(WireServer server, Random random) throws IOException {
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
     * The handlers block until some requests have exceeded the queue age and some clients have disconnected. Then the handlers return at
     * once.
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
            for (int i = 0; i < DISCONNECTING_CLIENTS; i++) {
                Random random = new Random(i);
                gone.add(clients.submit(() -> {
                    for (int made = 0; made < CONNECTIONS_PER_CLIENT || go.getCount() > 0; made++) {
                        sendRequestsAndDisconnect(server, random);
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
            server.awaitIdleWorkers(); // a request that finds an idle worker is never too old
            try (RawClient client = server.connect().send(GET)) {
                assertEquals("done", client.answer().body());
            }
        }
    }
}

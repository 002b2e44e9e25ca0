package io.penstock.http1;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.Counter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * The workers have been too slow for longer than the setting {@code overload-after}. The server refuses requests that would wait too long,
 * and releases all their resources.
 */
final class OverloadedQueueOnTheWireTest {
    private static final Duration OVERLOAD_AFTER = Duration.ofMillis(200);
    private static final int KEPT_REQUESTS = 20; // requests that an overloaded queue keeps for one worker
    private static final int WAITING_REQUESTS = 50;
    private static final String GET = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final String POST = "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello";

    private final Semaphore go = new Semaphore(0);
    private final Semaphore running = new Semaphore(0);
    private final Site site = new Site()
            .on("/block", exchange -> {
                running.release();
                go.acquire();
                Site.text(exchange, "done");
            })
            .on("/a", Site::echo);

    private WireServer overloadedServer(List<RawClient> clients) throws Exception {
        WireServer server = WireServer.with(
                new WireConfig().timeByHand().workers(1).overloadAfter((int) OVERLOAD_AFTER.toMillis()), site);
        clients.add(server.connect().send("GET /block HTTP/1.1\r\nHost: x\r\n\r\n"));
        assertTrue(running.tryAcquire(60, TimeUnit.SECONDS));
        for (int i = 0; i < WAITING_REQUESTS; i++) {
            clients.add(server.connect().send(i % 2 == 0 ? GET : POST));
        }
        await().until(() -> waiting(server) == WAITING_REQUESTS);
        server.pass(OVERLOAD_AFTER);
        return server;
    }

    private static int waiting(WireServer server) {
        return server.transport.queue().size();
    }

    private static long refused(WireServer server) {
        return server.counters.value(Counter.OVERLOADED);
    }

    private static void closeAll(List<RawClient> clients) throws Exception {
        for (RawClient client : clients) {
            client.close();
        }
    }

    @Test
    void requestsThatWouldWaitTooLongAreRefused() throws Exception {
        List<RawClient> clients = new ArrayList<>();
        try (WireServer server = overloadedServer(clients);
                RawClient last = server.connect()) {
            long outdated = server.counters.value(Counter.OUTDATED);
            int refusedOnArrival = 0;
            // Each refused request also causes the refusal of some waiting requests.
            while (refusedOnArrival < WAITING_REQUESTS && waiting(server) > KEPT_REQUESTS) {
                last.send(GET);
                assertEquals(503, last.answer().status());
                refusedOnArrival++;
            }
            int allRefused = refusedOnArrival + WAITING_REQUESTS - KEPT_REQUESTS;
            await().until(() -> refused(server) == allRefused);
            assertEquals(KEPT_REQUESTS, waiting(server));
            assertEquals(WAITING_REQUESTS - KEPT_REQUESTS, server.counters.value(Counter.OUTDATED) - outdated);
            assertTrue(server.events.refused().contains("503 overload-after"));
            go.release();
            assertEquals("done", clients.get(0).answer().body());
            int served = 0;
            for (RawClient client : clients.subList(1, clients.size())) {
                int status = client.answer().status();
                assertTrue(status == 200 || status == 503, "status of the response: " + status);
                served += status == 200 ? 1 : 0;
            }
            assertEquals(KEPT_REQUESTS, served);
            last.send(GET);
            assertEquals(200, last.answer().status(), "the status of the next request of a refused client");
            server.awaitNothingHeld();
        } finally {
            closeAll(clients);
        }
    }

    @Test
    void allResourcesOfDisconnectedClientsAreReleased() throws Exception {
        List<RawClient> clients = new ArrayList<>();
        try (WireServer server = overloadedServer(clients);
                RawClient last = server.connect()) {
            for (RawClient client : clients.subList(1, clients.size())) {
                client.reset();
            }
            last.send(GET);
            go.release();
            assertTrue(List.of(200, 503).contains(last.answer().status()));
            assertEquals("done", clients.get(0).answer().body());
            server.awaitNothingHeld();
        } finally {
            closeAll(clients);
        }
    }
}

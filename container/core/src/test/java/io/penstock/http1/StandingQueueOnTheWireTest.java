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
 * The workers have been too slow for a while. Requests that would be answered too late are refused at once, and all their resources are
 * released.
 */
final class StandingQueueOnTheWireTest {
    private static final Duration STANDING = Duration.ofMillis(200);
    private static final int KEPT = 20; // requests that an overloaded queue keeps for one worker
    private static final int CROWD = 50;
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

    private WireServer standing(List<RawClient> crowd) throws Exception {
        WireServer server = WireServer.with(
                new WireConfig().timeByHand().workers(1).overloadAfter((int) STANDING.toMillis()), site);
        crowd.add(server.connect().send("GET /block HTTP/1.1\r\nHost: x\r\n\r\n"));
        assertTrue(running.tryAcquire(60, TimeUnit.SECONDS));
        for (int i = 0; i < CROWD; i++) {
            crowd.add(server.connect().send(i % 2 == 0 ? GET : POST));
        }
        await().until(() -> waiting(server) == CROWD);
        server.pass(STANDING);
        return server;
    }

    private static int waiting(WireServer server) {
        return server.transport.queue().size();
    }

    private static long refused(WireServer server) {
        return server.counters.value(Counter.OVERLOADED);
    }

    private static void closeAll(List<RawClient> crowd) throws Exception {
        for (RawClient client : crowd) {
            client.close();
        }
    }

    @Test
    void requestsThatWouldWaitTooLongAreRefused() throws Exception {
        List<RawClient> crowd = new ArrayList<>();
        try (WireServer server = standing(crowd);
                RawClient last = server.connect()) {
            long outdated = server.counters.value(Counter.OUTDATED);
            int told = 0;
            // Each further request causes the refusal of some waiting requests.
            while (told < CROWD && waiting(server) > KEPT) {
                last.send(GET);
                assertEquals(503, last.answer().status());
                told++;
            }
            int all = told + CROWD - KEPT;
            await().until(() -> refused(server) == all);
            assertEquals(KEPT, waiting(server));
            assertEquals(CROWD - KEPT, server.counters.value(Counter.OUTDATED) - outdated);
            assertTrue(server.events.refused().contains("503 overload-after"));
            go.release();
            assertEquals("done", crowd.get(0).answer().body());
            int served = 0;
            for (RawClient client : crowd.subList(1, crowd.size())) {
                int status = client.answer().status();
                assertTrue(status == 200 || status == 503, "status " + status);
                served += status == 200 ? 1 : 0;
            }
            assertEquals(KEPT, served);
            last.send(GET);
            assertEquals(200, last.answer().status(), "the next request of a refused client");
            server.awaitNothingHeld();
        } finally {
            closeAll(crowd);
        }
    }

    @Test
    void allResourcesOfDisconnectedClientsAreReleased() throws Exception {
        List<RawClient> crowd = new ArrayList<>();
        try (WireServer server = standing(crowd);
                RawClient last = server.connect()) {
            for (RawClient client : crowd.subList(1, crowd.size())) {
                client.reset();
            }
            last.send(GET);
            go.release();
            assertTrue(List.of(200, 503).contains(last.answer().status()));
            assertEquals("done", crowd.get(0).answer().body());
            server.awaitNothingHeld();
        } finally {
            closeAll(crowd);
        }
    }
}

package io.penstock.http1;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.Counter;
import io.penstock.pipe.Segment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/**
 * A client pipelines requests while no memory is free for arriving bytes. The server answers the requests that it has already read, in
 * order. Then it refuses the next request.
 */
final class PipelinedOverBudgetTest {
    private static final String GET = " HTTP/1.1\r\nHost: x\r\n\r\n";

    @Test
    void theRefusalOfARequestIsSentAfterTheResponsesToEarlierRequests() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Site site = new Site().on("/first", exchange -> {
            arrived.countDown();
            goOn.await();
            Site.text(exchange, "first");
        });
        try (WireServer server = WireServer.with(new WireConfig().workers(1), site)) {
            List<Segment> taken = takeAllSegments(server);
            try (RawClient client = server.connect()) {
                client.send("GET /first" + GET);
                arrived.await();
                client.send(("GET /second" + GET).repeat(ResponseSlot.MAX_PARKED) + "GET /last" + GET);
                await().until(() -> server.counters.value(Counter.PIPE_BUDGET_EXCEEDED) == 1);
                goOn.countDown();
                assertEquals("first", client.answer().body());
                for (int i = 0; i < ResponseSlot.MAX_PARKED; i++) {
                    assertEquals("GET /second\n", client.answer().body());
                }
                Answer refusal = client.answer();
                assertEquals(503, refusal.status());
                assertEquals("close", refusal.field("Connection"));
                assertTrue(client.isAtEnd());
            } finally {
                taken.forEach(Segment::release);
            }
        }
    }

    private static List<Segment> takeAllSegments(WireServer server) {
        List<Segment> taken = new ArrayList<>();
        for (Segment next = next(server); next != null; next = next(server)) {
            taken.add(next);
        }
        return taken;
    }

    private static Segment next(WireServer server) {
        return server.transport.pool().tryAcquireReserved();
    }
}

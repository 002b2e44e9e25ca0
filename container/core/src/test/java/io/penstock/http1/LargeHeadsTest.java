package io.penstock.http1;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.Counter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Many large request heads at the same time must not fill the heap. The server has a memory budget for heads. If this budget is used up,
 * the server refuses further large heads.
 */
final class LargeHeadsTest {
    private static final String LARGE = "GET /a HTTP/1.1\r\nHost: x\r\nX-Large: " + "y".repeat(20_000) + "\r\n";

    private static void assertSmallHeadIsAnswered(WireServer server) throws Exception {
        try (RawClient client = server.connect()) {
            client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals("GET /a\n", client.answer().body());
        }
    }

    private static void awaitRefused(WireServer server) {
        await().until(() -> server.counters.value(Counter.HEAD_BUDGET_EXCEEDED) > 0);
    }

    @Test
    void largeHeadsThatExceedTheBudgetAreRefusedAndSmallRequestsAreServed() throws Exception {
        try (WireServer server = WireServer.with(new WireConfig().headBudget(200_000), new Site())) {
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                clients.add(server.connect().send(LARGE));
            }
            awaitRefused(server);
            server.settle();
            assertSmallHeadIsAnswered(server);
            int refused = (int) server.counters.value(Counter.HEAD_BUDGET_EXCEEDED);
            assertTrue(refused < 20, "the server refused all large heads");
            int answered = 0;
            for (RawClient client : clients) {
                client.send("\r\n");
                answered += client.answer().status() == 200 ? 1 : 0;
                client.close();
            }
            assertEquals(20 - refused, answered);
            assertNothingHeld(server);
        }
    }

    @Test
    void headsOccupyTheHeadBudgetWhileTheirBodiesAreIncomplete() throws Exception {
        String head = LARGE.replace("GET", "POST") + "Content-Length: 2\r\n\r\na";
        try (WireServer server = WireServer.with(new WireConfig().headBudget(200_000), new Site())) {
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                clients.add(server.connect().send(head));
            }
            awaitRefused(server);
            assertSmallHeadIsAnswered(server);
            for (RawClient client : clients) {
                client.reset();
            }
            assertNothingHeld(server);
        }
    }

    @Test
    void theMemoryOfAHeadIsReleasedIfTheBodyIsRefused() throws Exception {
        try (WireServer server = WireServer.with(new WireConfig().headBudget(200_000), new Site())) {
            try (RawClient client = server.connect()) {
                client.send(LARGE.replace("GET", "POST") + "Transfer-Encoding: chunked\r\n\r\n1\r\nab");
                assertEquals(400, client.answer().status());
            }
            assertNothingHeld(server);
        }
    }

    private static void assertNothingHeld(WireServer server) {
        await().until(() -> server.transport.heldByHeads() == 0);
    }
}

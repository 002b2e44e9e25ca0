package io.penstock.http1;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import io.penstock.limits.Counter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
        try (WireServer server = WireServer.with(new WireConfig().headBudget(1_000_000), new Site())) {
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
        try (WireServer server = WireServer.with(new WireConfig().headBudget(1_000_000), new Site())) {
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

    @ParameterizedTest
    @ValueSource(strings = {"", "Connection: close\r\n"})
    void theHeadOfARefusedRequestOccupiesTheBudgetUntilItsAnswerIsSent(String persistence) throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Site site = new Site().on("/slow", exchange -> {
            inside.countDown();
            go.await();
            Site.text(exchange, "slow");
        });
        try (WireServer server = WireServer.with(new WireConfig().workers(1).headBudget(1_000_000), site);
                RawClient client = server.connect()) {
            client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n");
            inside.await();
            long before = server.transport.heldByHeads();
            client.send(LARGE.replace("/a", "/refused") + persistence + "\r\n");
            await().until(() -> server.transport.heldByHeads() > before);
            go.countDown();
            assertEquals("slow", client.answer().body());
            assertEquals(404, client.answer().status());
            assertNothingHeld(server);
        }
    }

    /** The access log, for example, needs the head until the last byte of the response has been sent. */
    @Test
    void theHeadOccupiesTheBudgetWhileAListenerNeedsIt() throws Exception {
        Site site = new Site().on("/long", exchange -> {
            exchange.response().head(new ResponseHead(200, Fields.EMPTY, -1));
            exchange.response().write(ByteBuffer.allocate(8 << 20), true);
        });
        try (WireServer server = new WireServer(new WireConfig().headBudget(1_000_000), site, new FollowedEvents());
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send(LARGE.replace("/a", "/long") + "\r\n");
            server.awaitHeld();
            server.awaitRest();
            assertTrue(server.transport.heldByHeads() > 20_000);
            client.reset();
            assertNothingHeld(server);
        }
    }

    @Test
    void anUnfinishedTrailerSectionOccupiesTheBudget() throws Exception {
        String trailers = "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + "a:\r\n".repeat(90)
                + "X: " + "y".repeat(6000);
        try (WireServer server = WireServer.with(new WireConfig().headBudget(400_000), new Site())) {
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                clients.add(server.connect().send(trailers));
            }
            awaitRefused(server);
            server.settle();
            assertSmallHeadIsAnswered(server);
            int refused = (int) server.counters.value(Counter.HEAD_BUDGET_EXCEEDED);
            assertTrue(refused < 20, "the server refused all trailer sections");
            int answered = 0;
            for (RawClient client : clients) {
                client.send("\r\n\r\n");
                answered += client.answer().status() == 200 ? 1 : 0;
                client.close();
            }
            assertEquals(20 - refused, answered);
            assertNothingHeld(server);
        }
    }

    @Test
    void theMemoryOfAHeadIsReleasedIfTheBodyIsRefused() throws Exception {
        try (WireServer server = WireServer.with(new WireConfig().headBudget(1_000_000), new Site())) {
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

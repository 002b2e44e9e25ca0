package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.Exchange;
import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import io.penstock.limits.Counter;
import io.penstock.pipe.Segment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/**
 * A client pipelines many requests in one write. The server sends quick responses together. If the next response is slow, the earlier
 * responses are sent after a short delay. A response is quick if the worker needed less than a millisecond. The clock of the server
 * advances in only one test, so all finished responses are quick.
 */
final class PipelinedBurstTest {
    private final CountDownLatch go = new CountDownLatch(1);
    private final CountDownLatch inside = new CountDownLatch(1);
    private final CountDownLatch ends = new CountDownLatch(1);
    private final BlockingQueue<Exchange> suspended = new LinkedBlockingQueue<>();

    private final Site site = new Site()
            .on("/gate", exchange -> {
                go.await();
                answer(exchange, "gate");
            })
            .on("/quick", exchange -> answer(exchange, "quick"))
            .on("/slow", exchange -> {
                inside.countDown();
                ends.await();
                answer(exchange, "slow");
            })
            .on(
                    "/streamed",
                    exchange -> answer(exchange, new String(Site.readAll(exchange), StandardCharsets.US_ASCII)))
            .on("/later", suspended::add)
            .on("/given-up", exchange -> {
                exchange.response().head(new ResponseHead(200, Fields.EMPTY, -1));
                exchange.response().gather(segment(exchange, "half"));
                exchange.response().abort(new IOException("given up"));
            });

    /** Sends the text in a buffer of the server, as a servlet does. */
    private static void answer(Exchange exchange, String text) throws IOException {
        exchange.response().head(new ResponseHead(200, Fields.EMPTY, -1));
        exchange.response().write(segment(exchange, text), true);
    }

    private static Segment segment(Exchange exchange, String text) {
        Segment segment = exchange.response().segment();
        segment.buffer().put(text.getBytes(StandardCharsets.US_ASCII)).flip();
        return segment;
    }

    private WireServer server() throws IOException {
        return WireServer.with(new WireConfig().timeByHand().workers(1), site);
    }

    private static String get(String path) {
        return "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n";
    }

    /**
     * Sends a request that blocks the worker, and then the given requests. Lets the worker continue after the server has read all requests.
     * Returns the number of bytes that the server has sent until then.
     */
    private long send(WireServer server, RawClient client, String requests) throws IOException {
        client.send(get("/gate") + requests);
        server.settle();
        long sent = server.counters.value(Counter.SENT_BYTES);
        go.countDown();
        return sent;
    }

    @Test
    void quickResponsesAreSentTogether() throws Exception {
        try (WireServer server = server();
                RawClient client = server.connect()) {
            long sent = send(server, client, get("/quick").repeat(14) + get("/slow"));
            inside.await();
            assertEquals(sent, server.counters.value(Counter.SENT_BYTES), "bytes sent when the slow request starts");
            ends.countDown();
            assertEquals("gate", client.answer().body());
            for (int i = 0; i < 14; i++) {
                assertEquals("quick", client.answer().body());
            }
            assertEquals("slow", client.answer().body());
        }
    }

    @Test
    void aQuickResponseIsSentAfterAShortDelayIfTheNextResponseIsSlow() throws Exception {
        try (WireServer server = server();
                RawClient client = server.connect()) {
            send(server, client, get("/quick") + get("/slow"));
            inside.await();
            server.awaitHeld();
            server.pass(Duration.ofMillis(40));
            assertEquals("gate", client.answer().body());
            assertEquals("quick", client.answer().body());
            ends.countDown();
            assertEquals("slow", client.answer().body());
        }
    }

    @Test
    void aResponseDoesNotWaitForASuspendedRequest() throws Exception {
        try (WireServer server = server();
                RawClient client = server.connect()) {
            send(server, client, get("/later"));
            assertEquals("gate", client.answer().body());
            Exchange later = suspended.take();
            later.resume(() -> {
                try {
                    answer(later, "late");
                } catch (IOException e) {
                    later.response().abort(e);
                }
            });
            assertEquals("late", client.answer().body());
        }
    }

    @Test
    void aResponseDoesNotWaitForAStreamingRequest() throws Exception {
        try (WireServer server = server();
                RawClient client = server.connect()) {
            send(server, client, "POST /streamed HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nab");
            assertEquals("gate", client.answer().body());
            client.send("cd");
            assertEquals("abcd", client.answer().body());
        }
    }

    @Test
    void theEarlierResponseIsSentBeforeAnAbortedResponseEndsTheConnection() throws Exception {
        try (WireServer server = server();
                RawClient client = server.connect()) {
            send(server, client, "GET /given-up HTTP/1.0\r\n\r\n");
            assertEquals("gate", client.answer().body());
            assertThrows(IOException.class, client::rest);
        }
    }

    @Test
    void theEarlierResponseIsSentBeforeAResponseThatClosesTheConnection() throws Exception {
        try (WireServer server = server();
                RawClient client = server.connect()) {
            send(server, client, "GET /quick HTTP/1.0\r\n\r\n" + get("/quick"));
            assertEquals("gate", client.answer().body());
            assertEquals("quick", client.answer().body());
            assertEquals("", client.rest());
        }
    }

    @Test
    void thePipelinedRequestsOfOneClientUseOnlyPartOfTheHeadBudget() throws Exception {
        int budget = 100_000;
        try (WireServer server =
                        WireServer.with(new WireConfig().timeByHand().workers(1).headBudget(budget), site);
                RawClient client = server.connect()) {
            send(server, client, get("/slow") + get("/quick").repeat(200));
            inside.await();
            long held = server.transport.heldByHeads();
            assertTrue(held > budget / 10 && held < budget / 6, "bytes of the head budget in use: " + held);
            ends.countDown();
            assertEquals("gate", client.answer().body());
            assertEquals("slow", client.answer().body());
            for (int i = 0; i < 200; i++) {
                assertEquals("quick", client.answer().body());
            }
            server.awaitNothingHeld();
        }
    }

    @Test
    void theServerReadsAtMostOnePipelinedBodyInAdvance() throws Exception {
        String post = "POST /quick HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n" + "x".repeat(1000);
        try (WireServer server = server();
                RawClient client = server.connect()) {
            send(server, client, get("/slow") + post.repeat(10));
            inside.await();
            long held = server.transport.pool().inUse();
            assertTrue(held < 40_000, "bytes of memory in use while the slow request runs: " + held);
            ends.countDown();
            assertEquals("gate", client.answer().body());
            assertEquals("slow", client.answer().body());
            for (int i = 0; i < 10; i++) {
                assertEquals("quick", client.answer().body());
            }
        }
    }
}

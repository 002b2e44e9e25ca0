package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** When all workers are busy and the queue is full, the reactor refuses a request with status 503 and Retry-After. */
final class QueueFullTest {
    private final Semaphore go = new Semaphore(0);
    private final Semaphore running = new Semaphore(0);
    private final Site site = new Site().on("/block", exchange -> {
        running.release();
        go.acquire();
        Site.text(exchange, "done");
    });

    private void awaitRunning(int count) throws InterruptedException {
        assertTrue(running.tryAcquire(count, 60, TimeUnit.SECONDS));
    }

    /**
     * Repeats a request to {@code /block} until a worker runs it. A worker that has just started or has just ended its job is not idle, so
     * the request may be refused.
     */
    private RawClient block(WireServer server) throws Exception {
        while (true) {
            int refused = server.events.refused().size();
            RawClient client = server.connect().send("GET /block HTTP/1.1\r\nHost: x\r\n\r\n");
            // settle() sends requests that are refused with 404. The check below ignores these refusals.
            server.settle();
            if (server.events.refused().stream().skip(refused).noneMatch("503 queue"::equals)) {
                awaitRunning(1);
                return client;
            }
            assertEquals(503, client.answer().status());
            client.close();
        }
    }

    @Test
    void aRequestIsRefusedButTheConnectionStaysOpenIfNoQueueExistsAndTheWorkerIsBusy() throws Exception {
        try (WireServer server = WireServer.with(new WireConfig().workers(1).queue(0), site);
                RawClient blocker = block(server);
                RawClient client = server.connect()) {
            Cuts.onOneConnection(server, "GET /a HTTP/1.1\r\nHost: x\r\n\r\n", one -> {
                Answer refusal = one.answer();
                assertEquals(503, refusal.status());
                assertEquals("1", refusal.field("Retry-After"));
                assertEquals("", refusal.field("Connection"));
            });
            client.send("HEAD /a HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals(503, client.answerToHead().status());
            go.release();
            assertEquals("done", blocker.answer().body());
            Answer answer;
            // If the worker is not yet idle, the server refuses the request, and the test repeats it.
            do {
                client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
                answer = client.answer();
            } while (answer.status() == 503);
            assertEquals("GET /a\n", answer.body());
            assertTrue(
                    server.events.refused().contains("503 queue"),
                    server.events.refused().toString());
        }
    }

    @Test
    void aQueueOfLengthOneAcceptsOneRequestAndTheNextRequestIsRefused() throws Exception {
        try (WireServer server = WireServer.with(new WireConfig().workers(1).queue(1), site);
                RawClient blocker = server.connect().send("GET /block HTTP/1.1\r\nHost: x\r\n\r\n")) {
            awaitRunning(1);
            RawClient queued = server.connect().send("GET /queued HTTP/1.1\r\nHost: x\r\n\r\n");
            server.settle();
            String request = "POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx";
            Cuts.onNewConnections(server, request, refused -> {
                Answer refusal = refused.answer();
                assertEquals(503, refusal.status());
                assertEquals("close", refusal.field("Connection"));
                assertEquals("", refused.rest());
            });
            go.release();
            assertEquals("done", blocker.answer().body());
            assertEquals("GET /queued\n", queued.answer().body());
            queued.close();
            server.awaitNothingHeld();
        }
    }

    @Test
    void theConnectionEndsAfterTheRefusalOfARequestWithAnIncompleteBody() throws Exception {
        try (WireServer server =
                        WireServer.with(new WireConfig().workers(1).queue(0).pipes(4096, 1024), site);
                RawClient blocker = block(server)) {
            String head = "POST /stream HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n\r\n";
            String message = head + "x".repeat(5000);
            int end = head.length();
            int[] cuts = {0, 1, end - 1, end, end + 1, end + 1024, end + 4095, end + 4096, end + 4097};
            Cuts.onNewConnections(server, message, cuts, client -> {
                client.send(new byte[1_000_000]);
                Answer refusal = client.answer();
                assertEquals(503, refusal.status());
                assertEquals("close", refusal.field("Connection"));
                assertEquals("", client.rest());
            });
            go.release();
            assertEquals("done", blocker.answer().body());
        }
    }

    @Test
    void aPipelinedRequestIsServedAfterTheRunningRequestEvenIfTheQueueHasNoRoom() throws Exception {
        try (WireServer server = WireServer.with(new WireConfig().workers(1).queue(0), site)) {
            String message = "GET /b HTTP/1.1\r\nHost: x\r\n\r\nGET /c HTTP/1.1\r\nHost: x\r\n\r\n";
            for (int cut : Cuts.everyOffsetOf(message)) {
                try (RawClient blocker = block(server)) {
                    Cuts.send(server, blocker, message, cut);
                    server.settle();
                    go.release();
                    assertEquals("done", blocker.answer().body());
                    assertEquals("GET /b\n", blocker.answer().body(), "the input is cut at byte " + cut);
                    // The status of the third response is not checked. The server refuses the third request if the
                    // worker is not yet idle.
                    blocker.answer();
                }
            }
            assertEquals(List.of(), server.events.failed());
        }
    }
}

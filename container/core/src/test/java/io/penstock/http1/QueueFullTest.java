package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** All workers busy and the queue full: 503 with Retry-After from the reactor, without a worker. */
final class QueueFullTest {
    private final CountDownLatch go = new CountDownLatch(1);
    private final Semaphore running = new Semaphore(0);
    private final Site site = new Site().on("/block", exchange -> {
        running.release();
        go.await();
        Site.text(exchange, "done");
    });

    private void awaitRunning(int count) throws InterruptedException {
        assertTrue(running.tryAcquire(count, 20, TimeUnit.SECONDS));
    }

    /** A worker that has just started, or just ended its job, is not idle yet. */
    private RawClient block(WireServer server) throws Exception {
        while (true) {
            RawClient client = server.connect().send("GET /block HTTP/1.1\r\nHost: x\r\n\r\n");
            if (running.tryAcquire(1, 200, TimeUnit.MILLISECONDS)) {
                return client;
            }
            assertEquals(503, client.answer().status());
            client.close();
        }
    }

    @Test
    void withoutAQueueTheSecondRequestIsRefusedAndTheConnectionGoesOn() throws Exception {
        try (WireServer server = WireServer.with(new WireConfig().workers(1).queue(0), site);
                RawClient blocker = block(server);
                RawClient client = server.connect()) {
            for (int i = 0; i < 3; i++) {
                client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
                Answer refusal = client.answer();
                assertEquals(503, refusal.status());
                assertEquals("1", refusal.field("Retry-After"));
                assertEquals("", refusal.field("Connection"));
            }
            client.send("HEAD /a HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals(503, client.answerToHead().status());
            go.countDown();
            assertEquals("done", blocker.answer().body());
            Answer answer;
            do { // the worker is on its way back to the queue
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
    void aQueueOfOneHoldsOneAndRefusesTheNext() throws Exception {
        try (WireServer server = WireServer.with(new WireConfig().workers(1).queue(1), site);
                RawClient blocker = server.connect().send("GET /block HTTP/1.1\r\nHost: x\r\n\r\n")) {
            awaitRunning(1);
            RawClient queued = server.connect().send("GET /queued HTTP/1.1\r\nHost: x\r\n\r\n");
            server.settle();
            try (RawClient refused = server.connect()) {
                refused.send("POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx");
                Answer refusal = refused.answer();
                assertEquals(503, refusal.status());
                assertEquals("close", refusal.field("Connection"));
                assertEquals("", refused.rest());
            }
            go.countDown();
            assertEquals("done", blocker.answer().body());
            assertEquals("GET /queued\n", queued.answer().body());
            queued.close();
            server.awaitNothingHeld();
        }
    }

    @Test
    void refusedBodyThatIsStillComingEndsTheConnectionAfterTheAnswer() throws Exception {
        try (WireServer server =
                        WireServer.with(new WireConfig().workers(1).queue(0).pipes(4096, 1024), site);
                RawClient blocker = block(server);
                RawClient client = server.connect()) {
            client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n\r\n");
            client.send(new byte[1_000_000]);
            Answer refusal = client.answer();
            assertEquals(503, refusal.status());
            assertEquals("close", refusal.field("Connection"));
            assertEquals("", client.rest());
            go.countDown();
            assertEquals("done", blocker.answer().body());
        }
    }

    @Test
    void nextRequestOfTheSameClientNeedsNoRoomInTheQueue() throws Exception {
        try (WireServer server = WireServer.with(new WireConfig().workers(1).queue(0), site);
                RawClient blocker = block(server)) {
            blocker.send("GET /b HTTP/1.1\r\nHost: x\r\n\r\nGET /c HTTP/1.1\r\nHost: x\r\n\r\n");
            server.settle();
            go.countDown();
            assertEquals("done", blocker.answer().body());
            assertEquals("GET /b\n", blocker.answer().body());
            assertEquals(List.of(), server.events.failed());
        }
    }
}

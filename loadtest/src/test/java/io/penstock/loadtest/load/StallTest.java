package io.penstock.loadtest.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests the measured latencies if the server or the client stalls. In most tests, the stall begins after half a second and lasts one
 * second.
 *
 * <ul>
 *   <li>Closed loop: each user waits for a response before the next request. So the stall increases only one latency of each user
 *       (coordinated omission).
 *   <li>Open loop: each request has a planned time, and its latency is measured from that time. So the stall increases the latencies of all
 *       requests that are planned during the stall.
 * </ul>
 */
@Timeout(120)
class StallTest {
    private static final Duration STEP = Duration.ofMillis(5);
    private static final long SECOND = 1000;

    private final SimulatedServer server;

    StallTest() throws Exception {
        server = new SimulatedServer();
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    private static boolean isStalled(long millis) {
        return millis >= 500 && millis < 1500;
    }

    @Test
    void anOpenLoopMeasuresTheStallInAllRequestsThatArePlannedDuringTheStall() throws Exception {
        OpenLoop load = new OpenLoop(
                server.driven.loop,
                OpenPlan.ofRequests(server.request(), 200, 600).withMaxConnections(4));
        CompletableFuture<LoadResult> ended = server.begin(load);
        server.answerUntil(load, 1);
        for (long due = 2; due <= 600; due++) {
            server.driven.pass(STEP);
            if (!isStalled((due - 1) * STEP.toMillis())) {
                server.answerUntil(load, due);
            }
        }
        LoadResult result = ended.get();
        assertEquals(600, result.answered(), result.firstTrouble());
        // 200 of the 600 requests were planned during the stall. On average, these 200 requests waited half a second.
        assertEquals(SECOND, result.millis(100), 0.002 * SECOND);
        assertTrue(result.millis(99) > 0.9 * SECOND, "p99 is too low, in ms: " + result.millis(99));
        assertTrue(result.millis(83) > 0.4 * SECOND, "p83 is too low, in ms: " + result.millis(83));
        assertTrue(result.millis(50) < STEP.toMillis(), "p50 is too high, in ms: " + result.millis(50));
        // The client sent each request at its planned time, so the server caused the whole delay.
        assertEquals(600, result.effort().lag().getTotalCount());
        assertTrue(
                result.effort().lagMillis(100) < STEP.toMillis(),
                "the lag is too large, in ms: " + result.effort().lagMillis(100));
    }

    @Test
    void anOpenLoopWithADeadlineReportsTheStallAsTimeouts() throws Exception {
        OpenLoop load = new OpenLoop(
                server.driven.loop,
                OpenPlan.ofRequests(server.request(), 200, 300)
                        .withMaxConnections(4)
                        .withDeadline(Duration.ofMillis(400)));
        CompletableFuture<LoadResult> ended = server.begin(load);
        server.answerUntil(load, 1);
        for (long due = 2; due <= 200; due++) {
            server.driven.pass(STEP);
            server.answerUntil(load, due);
        }
        while (!ended.isDone()) {
            server.driven.pass(STEP);
        }
        LoadResult result = ended.get();
        assertEquals(200, result.answered());
        assertEquals(100, result.timeouts(), result.failures()::toString);
        assertTrue(result.millis(66) < STEP.toMillis(), "p66 is too high, in ms: " + result.millis(66));
        assertEquals(400, result.millis(67), 1);
        assertEquals(400, result.millis(100), 1);
    }

    @Test
    void aClosedLoopMeasuresTheStallInOnlyOneRequestOfEachUser() throws Exception {
        ClosedPlan plan =
                ClosedPlan.of(server.request(), 4, Duration.ofMillis(2500)).withThink(STEP);
        ClosedLoop load = new ClosedLoop(server.driven.loop, plan);
        CompletableFuture<LoadResult> ended = server.begin(load);
        for (long millis = 0; !ended.isDone(); millis += STEP.toMillis()) {
            if (!isStalled(millis)) {
                server.answer();
            }
            server.driven.pass(STEP);
        }
        LoadResult result = ended.get();
        long stalled = result.latency().getTotalCount()
                - result.latency().getCountBetweenValues(0, TimeUnit.MILLISECONDS.toNanos(800));
        assertEquals(4, stalled);
        assertEquals(0, result.effort().lag().getTotalCount());
    }

    @Test
    void aStalledClientReportsHowLateItSentTheRequests() throws Exception {
        OpenLoop load = new OpenLoop(server.driven.loop, OpenPlan.ofRequests(server.request(), 200, 100));
        CompletableFuture<LoadResult> ended = server.begin(load);
        server.driven.pass(Duration.ofMillis(500));
        server.answerUntil(load, 100);
        assertEquals(500, ended.get().effort().lagMillis(99), 20);
    }
}

package io.penstock.loadtest.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the users of a closed loop: ramp-up, think time, pipelining and warm-up. */
@Timeout(120)
class UsersTest {
    private static final Duration STEP = Duration.ofMillis(1);

    private final SimulatedServer server;

    UsersTest() throws Exception {
        server = new SimulatedServer();
    }

    @AfterEach
    void stop() throws Exception {
        server.close();
    }

    @Test
    void usersStartOneAfterTheOtherDuringTheRampUp() throws Exception {
        // The think time is longer than the test, so each user sends only one request.
        ClosedPlan plan = ClosedPlan.of(server.request(), 10, Duration.ofMillis(700))
                .withRampUp(Duration.ofMillis(500))
                .withThink(Duration.ofSeconds(60));
        ClosedLoop load = new ClosedLoop(server.driven.loop, plan);
        CompletableFuture<LoadResult> ended = server.begin(load);
        for (int users = 1; users <= 10; users++) {
            server.answerUntil(load, users);
            assertEquals(users, server.accepted());
            server.driven.pass(Duration.ofMillis(50));
        }
        server.driven.pass(Duration.ofMillis(200));
        assertEquals(10, ended.get().answered());
        assertEquals(10, server.accepted());
    }

    @Test
    void aUserWaitsForTheThinkTimeBetweenAResponseAndTheNextRequest() throws Exception {
        ClosedPlan plan =
                ClosedPlan.of(server.request(), 2, Duration.ofMillis(500)).withThink(Duration.ofMillis(50));
        LoadResult result = drive(new ClosedLoop(server.driven.loop, plan));
        assertTrue(
                result.answered() >= 6 && result.answered() <= 20, "wrong number of responses: " + result.answered());
        // The think time is not part of the latency.
        assertTrue(result.millis(50) < 40, "p50 is too high, in ms: " + result.millis(50));
    }

    @Test
    void allPipelinedRequestsAreAnsweredOverOneConnection() throws Exception {
        ClosedPlan plan =
                ClosedPlan.of(server.request(), 1, Duration.ofMillis(300)).withPipelining(8);
        LoadResult result = drive(new ClosedLoop(server.driven.loop, plan));
        assertEquals(0, result.failed(), result.firstTrouble());
        assertTrue(result.answered() >= 16, "too few responses: " + result.answered());
        assertEquals(1, server.accepted());
    }

    @Test
    void requestsDuringTheWarmUpAreNotCounted() throws Exception {
        ClosedPlan plan = ClosedPlan.of(server.request(), 1, Duration.ofMillis(200))
                .withWarmUp(Duration.ofMillis(200))
                .withThink(Duration.ofMillis(10));
        LoadResult closed = drive(new ClosedLoop(server.driven.loop, plan));
        assertTrue(
                closed.answered() < 0.8 * server.answers(),
                "counted responses: " + closed.answered() + ", sent responses: " + server.answers());
        assertEquals(Duration.ofMillis(200), closed.elapsed());
        OpenPlan thirty =
                OpenPlan.lasting(server.request(), 100, Duration.ofMillis(300)).withWarmUp(Duration.ofMillis(200));
        assertEquals(30, drive(new OpenLoop(server.driven.loop, thirty)).requests());
    }

    /** Runs the load until its end. The server answers all requests within a few milliseconds. */
    private LoadResult drive(Load load) throws Exception {
        CompletableFuture<LoadResult> ended = server.begin(load);
        while (!ended.isDone()) {
            server.answer();
            server.driven.pass(STEP);
        }
        return ended.get();
    }
}

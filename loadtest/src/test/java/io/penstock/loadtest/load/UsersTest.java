package io.penstock.loadtest.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.Request;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How the users of a closed loop come, think, and go. */
@Timeout(60)
class UsersTest {
    private final Queue<Long> arrivals = new ConcurrentLinkedQueue<>();
    private final CountDownLatch hundred = new CountDownLatch(100);
    private ScriptedServer server;
    private ClientLoop loop;
    private Request request;

    @BeforeEach
    void start() throws Exception {
        server = new ScriptedServer((number, connection) -> {
            arrivals.add(System.nanoTime());
            ScriptedServer.answer(connection, ScriptedServer.OK);
            hundred.countDown();
        });
        loop = ClientLoop.start(20);
        request = Request.get(URI.create(server.url()));
    }

    @AfterEach
    void stop() throws Exception {
        loop.close();
        server.close();
    }

    @Test
    void usersComeOneAfterTheOtherWithinTheRampUp() throws Exception {
        // Each thinks longer than the test takes, so there is one request of each.
        ClosedPlan plan = ClosedPlan.of(request, 10, Duration.ofMillis(700))
                .withRampUp(Duration.ofMillis(500))
                .withThink(Duration.ofSeconds(60));
        LoadResult result = new ClosedLoop(loop, plan).await();
        assertEquals(10, result.answered());
        assertEquals(10, server.accepted());
        Long[] times = arrivals.toArray(Long[]::new);
        long between = TimeUnit.NANOSECONDS.toMillis(times[9] - times[0]);
        assertTrue(between >= 400 && between < 650, "ten users within " + between + " ms");
    }

    @Test
    void aUserThinksBetweenAnAnswerAndTheNextRequest() throws Exception {
        ClosedPlan plan = ClosedPlan.of(request, 2, Duration.ofMillis(500)).withThink(Duration.ofMillis(50));
        LoadResult result = new ClosedLoop(loop, plan).await();
        assertTrue(result.answered() >= 6 && result.answered() <= 20, "answered " + result.answered());
        // Thinking is not waiting.
        assertTrue(result.millis(50) < 40, "p50 " + result.millis(50));
    }

    @Test
    void pipelinedRequestsAreAllAnsweredOverOneConnection() throws Exception {
        ClosedPlan plan = ClosedPlan.of(request, 1, Duration.ofMillis(300)).withPipelining(8);
        LoadResult result = new ClosedLoop(loop, plan).await();
        assertEquals(0, result.failed(), result.firstTrouble());
        assertTrue(result.answered() >= 16, "answered " + result.answered());
        assertEquals(1, server.accepted());
    }

    @Test
    void theWarmUpIsNotCounted() throws Exception {
        ClosedPlan plan = ClosedPlan.of(request, 1, Duration.ofMillis(200))
                .withWarmUp(Duration.ofMillis(200))
                .withThink(Duration.ofMillis(10));
        LoadResult result = new ClosedLoop(loop, plan).await();
        assertTrue(result.answered() < 0.8 * server.requests(), result.answered() + " of " + server.requests());
        assertEquals(200, result.elapsed().toMillis());
        LoadResult open = new OpenLoop(
                        loop,
                        OpenPlan.lasting(request, 100, Duration.ofMillis(300)).withWarmUp(Duration.ofMillis(200)))
                .await();
        assertEquals(30, open.requests());
    }

    @Test
    void aLoadThatIsStoppedTellsWhatItMeasuredSoFar() throws Exception {
        ClosedLoop load = new ClosedLoop(loop, ClosedPlan.of(request, 2, Duration.ofHours(1)));
        CompletableFuture<LoadResult> result = load.start();
        assertTrue(hundred.await(20, TimeUnit.SECONDS));
        assertTrue(load.progress().get().failed() == 0);
        load.stop();
        assertTrue(result.get(10, TimeUnit.SECONDS).answered() >= 98);
        assertTrue(result.get().elapsed().toMinutes() < 1);
    }

    @Test
    void aLoadWhoseClientIsClosedFailsInsteadOfHanging() throws Exception {
        ClosedLoop load = new ClosedLoop(loop, ClosedPlan.of(request, 2, Duration.ofHours(1)));
        CompletableFuture<Void> failed = CompletableFuture.runAsync(() -> assertThrows(IOException.class, load::await));
        assertTrue(hundred.await(20, TimeUnit.SECONDS));
        loop.close();
        failed.get(10, TimeUnit.SECONDS);
    }
}

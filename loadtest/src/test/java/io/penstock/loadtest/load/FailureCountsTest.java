package io.penstock.loadtest.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.Failure;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.client.Target;
import io.penstock.testing.FreePort;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests how failures are counted. In most tests, every tenth request fails. An open loop sends requests at planned times. In a closed loop,
 * each user waits for a response before the next request.
 */
@Timeout(120)
class FailureCountsTest {
    private static final int REQUESTS = 50;

    private ClientLoop loop;

    @BeforeEach
    void start() throws Exception {
        loop = ClientLoop.start(10);
    }

    @AfterEach
    void stop() {
        loop.close();
    }

    @Test
    void responsesWithAnErrorStatusAreCountedSeparatelyFromFailures() throws Exception {
        LoadResult result = eachTenth((number, connection) ->
                ScriptedServer.answer(connection, "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"));
        assertEquals(45, result.answered());
        assertEquals(5, result.non2xx());
        assertEquals(Map.of(200, 45L, 503, 5L), result.statuses());
        assertEquals(0, result.failed());
        assertEquals("status 503", result.firstTrouble());
    }

    @Test
    void aConnectionResetIsCountedAsASocketError() throws Exception {
        LoadResult result = eachTenth((number, connection) -> {
            connection.setSoLinger(true, 0);
            connection.close();
        });
        assertEquals(5, result.socketErrors(), result.failures()::toString);
        assertEquals(45, result.answered());
        assertEquals(REQUESTS, result.requests());
    }

    @Test
    void aConnectionIsCountedAsClosedEarlyIfItIsClosedInTheMiddleOfAResponse() throws Exception {
        LoadResult result = eachTenth((number, connection) -> {
            ScriptedServer.answer(connection, "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhal");
            connection.close();
        });
        assertEquals(Map.of(Failure.CLOSED_EARLY, 5L), result.failures());
    }

    @Test
    void aResponseThatIsNotHttpIsCountedAsABadResponse() throws Exception {
        LoadResult result = eachTenth((number, connection) -> ScriptedServer.answer(connection, "220 smtp ready\r\n"));
        assertEquals(5, result.badResponses(), result.failures()::toString);
        assertEquals(45, result.answered());
    }

    @Test
    void aRequestWithoutAResponseIsCountedAsATimeout() throws Exception {
        LoadResult result = eachTenth(Duration.ofSeconds(5), (number, connection) -> {});
        assertEquals(5, result.timeouts(), result.failures()::toString);
        assertEquals(45, result.answered());
        assertEquals("no response within 5000 ms", result.firstTrouble());
    }

    @Test
    void aRefusedConnectionIsCountedAsAConnectErrorInOpenAndClosedLoops() throws Exception {
        Request request = Request.get(Target.of(URI.create("http://127.0.0.1:" + FreePort.next() + "/")));
        LoadResult open = new OpenLoop(loop, OpenPlan.ofRequests(request, 1000, 20)).await();
        assertEquals(20, open.connectErrors());
        assertEquals(20, open.requests());
        ClosedLoop load = new ClosedLoop(loop, ClosedPlan.of(request, 2, Duration.ofHours(1)));
        CompletableFuture<LoadResult> result = load.start();
        while (load.progress().get().failed() < 4) {
            Thread.onSpinWait();
        }
        load.stop();
        LoadResult closed = result.get(60, TimeUnit.SECONDS);
        // After a connect error, a user waits for 100 ms before the next attempt.
        long attempts = 1 + closed.elapsed().toMillis() / 100;
        assertTrue(
                closed.connectErrors() >= 4 && closed.connectErrors() <= 2 * (attempts + 1),
                closed.failures() + " within " + closed.elapsed());
        assertEquals(closed.connectErrors(), closed.requests());
        assertTrue(closed.firstTrouble().startsWith("connection refused"), closed.firstTrouble());
    }

    @Test
    void requestsAreCountedAsTimeoutsIfTheyGetNoConnectionBeforeTheirDeadline() throws Exception {
        try (ScriptedServer silent = new ScriptedServer((number, connection) -> {})) {
            Request request = Request.get(Target.of(URI.create(silent.url())));
            // All requests are planned for nearly the same time. The client may open two connections, and the server
            // never responds on them. So the other requests wait for a connection until their deadline.
            LoadResult result = new OpenLoop(
                            loop,
                            OpenPlan.ofRequests(request, 100_000, 100)
                                    .withDeadline(Duration.ofMillis(200))
                                    .withMaxConnections(2))
                    .await();
            assertEquals(100, result.timeouts());
            assertTrue(silent.requests() < 100);
        }
    }

    @Test
    void noErrorIsCountedIfTheServerClosesTheConnectionAfterEachResponse() throws Exception {
        CountDownLatch some = new CountDownLatch(20);
        try (ScriptedServer server = new ScriptedServer((number, connection) -> {
            ScriptedServer.answer(connection, "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
            connection.close();
            some.countDown();
        })) {
            Request request = Request.get(Target.of(URI.create(server.url())));
            ClosedLoop load = new ClosedLoop(loop, ClosedPlan.of(request, 2, Duration.ofHours(1)));
            CompletableFuture<LoadResult> result = load.start();
            assertTrue(some.await(60, TimeUnit.SECONDS));
            load.stop();
            LoadResult closed = result.get(60, TimeUnit.SECONDS);
            assertEquals(0, closed.failed(), closed.firstTrouble());
            assertTrue(closed.answered() > 2);
            LoadResult open = new OpenLoop(loop, OpenPlan.ofRequests(request, 500, 50)).await();
            assertEquals(50, open.answered(), open.firstTrouble());
            assertEquals(50, open.connectLatency().getTotalCount());
        }
    }

    /** Runs an open loop. The script handles every tenth request. The server answers all other requests with 200. */
    private LoadResult eachTenth(ScriptedServer.Script script) throws Exception {
        return eachTenth(Duration.ofSeconds(60), script);
    }

    private LoadResult eachTenth(Duration deadline, ScriptedServer.Script script) throws Exception {
        try (ScriptedServer server = new ScriptedServer((number, connection) -> {
            if (number % 10 == 0) {
                script.onRequest(number, connection);
            } else {
                ScriptedServer.answer(connection, ScriptedServer.OK);
            }
        })) {
            Request request = Request.get(Target.of(URI.create(server.url())));
            OpenPlan plan = OpenPlan.ofRequests(request, 200, REQUESTS).withDeadline(deadline);
            return new OpenLoop(loop, plan).await();
        }
    }
}

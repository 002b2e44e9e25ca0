package io.penstock.loadtest.compare.scenarios;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.penstock.loadtest.client.ClientLoop;
import io.penstock.loadtest.client.OnLoop;
import io.penstock.loadtest.client.Request;
import io.penstock.loadtest.client.Target;
import io.penstock.loadtest.load.OpenPlan;
import io.penstock.testing.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests requests at a constant rate. The server refuses all requests to {@code /full}. After ten requests, it no longer answers requests to
 * {@code /stalls}.
 */
@Timeout(120)
class OfferTest {
    private static final Duration TEST_TIMEOUT = Duration.ofSeconds(60);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger receivedRequests = new AtomicInteger();
    private final CountDownLatch released = new CountDownLatch(1);
    private HttpServer server;
    private ClientLoop loop;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            try (exchange) {
                if (receivedRequests.incrementAndGet() > 10
                        && exchange.getRequestURI().getPath().equals("/stalls")) {
                    await();
                }
                exchange.sendResponseHeaders(exchange.getRequestURI().getPath().equals("/full") ? 503 : 200, -1);
            }
        });
        server.start();
        loop = ClientLoop.start(50);
    }

    @AfterEach
    void stop() {
        released.countDown();
        loop.close();
        server.stop(0);
        threads.shutdownNow();
    }

    @Test
    void everyRequestHasAnOutcomeAndAScheduledTime() throws Exception {
        Answers answers = offer("/", 200, 40, Duration.ofSeconds(5));
        assertEquals(40, answers.good());
        // The answers come in any order.
        assertEquals(
                LongStream.range(0, 40).map(n -> n * 5_000_000).boxed().toList(),
                answers.all().stream().map(Answer::dueNanos).sorted().toList());
    }

    @Test
    void refusedRequestsAreCounted() throws Exception {
        assertEquals(20, offer("/full", 200, 20, Duration.ofSeconds(5)).count(Answer::isRefusal));
    }

    @Test
    void requestsTimeOutAfterTheServerStopsAnswering() throws Exception {
        Answers answers = offer("/stalls", 200, 30, Duration.ofSeconds(5));
        assertEquals(10, answers.good());
        assertEquals(20, answers.count(Answer::isTimeout));
    }

    @Test
    void requestsAreDelayedAndCanTimeOutIfNoConnectionIsFree() throws Exception {
        Target target =
                Target.of(URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/stalls"));
        OpenPlan oneConnection = new OpenPlan(Request.get(target), 200, 0, 20, Duration.ofMillis(200), 1);
        Answers answers = OnLoop.await(Offer.begin(loop, oneConnection), TEST_TIMEOUT);
        assertEquals(20, answers.count());
        assertTrue(answers.good() <= 10, "too many successful responses: " + answers.good());
        assertEquals(answers.count() - answers.good(), answers.count(Answer::isTimeout));
    }

    @Test
    void eachRequestToAnUnreachableServerIsCountedAsAConnectError() throws Exception {
        Target nobody = Target.of(URI.create("http://127.0.0.1:" + FreePort.next() + "/"));
        OpenPlan rate = new OpenPlan(Request.get(nobody), 500, 0, 10, Duration.ofSeconds(1), 5);
        assertEquals(10, OnLoop.await(Offer.begin(loop, rate), TEST_TIMEOUT).count(Answer::isConnectError));
    }

    private Answers offer(String path, int perSecond, int requests, Duration deadline) throws Exception {
        Target target =
                Target.of(URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path));
        return OnLoop.await(
                Offer.begin(loop, new OpenPlan(Request.get(target), perSecond, 0, requests, deadline, 50)),
                TEST_TIMEOUT);
    }

    private void await() throws IOException {
        try {
            if (!released.await(60, TimeUnit.SECONDS)) {
                throw new IOException("The test has not released the request");
            }
        } catch (InterruptedException stopped) {
            throw new IOException(stopped);
        }
    }
}

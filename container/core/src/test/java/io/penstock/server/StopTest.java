package io.penstock.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.events.CloseCause;
import io.penstock.exchange.Exchange;
import io.penstock.exchange.Shutdown;
import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import io.penstock.http1.Answer;
import io.penstock.http1.RawClient;
import io.penstock.http1.RecordedEvents;
import io.penstock.http1.Site;
import io.penstock.http1.WireConfig;
import io.penstock.http1.WireServer;
import io.penstock.limits.Counter;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests the stop of the server. During the stop, the server accepts no new connections, and completes running requests. After the timeout
 * of the stop, clients whose requests have no response get a 503.
 */
final class StopTest {
    private static final String GET = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";

    private static FutureTask<Boolean> stop(WireServer server) {
        FutureTask<Boolean> stopping = new FutureTask<>(() -> {
            server.close();
            return true;
        });
        new Thread(stopping, "stopper").start();
        return stopping;
    }

    @Test
    void idleConnectionsAreClosedAtTheStop() throws Exception {
        WireServer server = WireServer.echo(new WireConfig().overSockets());
        try (RawClient used = server.connect();
                RawClient unused = server.connect()) {
            used.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals(200, used.answer().status());
            server.events.awaitOpened(2);
            FutureTask<Boolean> stopping = stop(server);
            assertEquals("", used.rest());
            assertEquals("", unused.rest());
            assertTrue(stopping.get(60, TimeUnit.SECONDS));
        }
    }

    /**
     * A new connection stays open for a short time during the stop. The client may already have sent its first request or the first bytes
     * of the handshake.
     */
    @ParameterizedTest
    @EnumSource
    void aNewConnectionCanStillSendItsFirstRequestDuringTheStop(RawClient.Layer layer) throws Exception {
        WireServer server = WireServer.echo(new WireConfig().over(layer).timeByHand());
        try (RawClient used = server.connect().send(GET)) {
            assertEquals(200, used.answer().status());
            try (RawClient unused = server.connect()) {
                server.events.awaitOpened(2);
                FutureTask<Boolean> stopping = stop(server);
                // The stop has closed the idle connection of the first client.
                assertEquals("", used.rest());
                Answer answer = unused.send(GET).answer();
                assertEquals(200, answer.status());
                assertEquals("close", answer.field("Connection"));
                assertTrue(unused.isAtEnd());
                assertTrue(stopping.get(60, TimeUnit.SECONDS));
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void anOlderConnectionWithoutARequestIsClosedAtTheStop(RawClient.Layer layer) throws Exception {
        WireServer server = WireServer.echo(new WireConfig().over(layer).timeByHand());
        try (RawClient unused = server.connect()) {
            server.events.awaitOpened(1);
            server.pass(Shutdown.FIRST_REQUEST);
            FutureTask<Boolean> stopping = stop(server);
            assertTrue(stopping.get(60, TimeUnit.SECONDS));
            String closed = server.events.awaitClosed(unused);
            assertTrue(closed.contains(CloseCause.SERVER_STOPPING.id()), closed);
        }
    }

    @Test
    void aSlowClientReceivesTheCompleteResponseDuringTheStop() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Site site = new Site().on("/slow", exchange -> {
            started.countDown();
            go.await();
            Site.text(exchange, "x".repeat(60_000));
        });
        WireServer server = WireServer.with(new WireConfig().sendBuffer(4096), site);
        try (RawClient client = server.connectWithReceiveBuffer(4096);
                RawClient idle = server.connect()) {
            client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n");
            started.await();
            idle.send("GET /none HTTP/1.1\r\nHost: x\r\n\r\n").answer();
            // A stopped server has no port, so the port is read before the stop.
            int port = server.port();
            FutureTask<Boolean> stopping = stop(server);
            awaitRefused(port);
            // The server has closed the idle connection.
            assertTrue(idle.isAtEnd());
            go.countDown();
            Answer answer = client.answer();
            assertEquals("close", answer.field("Connection"));
            assertEquals(60_000, answer.body().length());
            assertEquals("", client.rest());
            assertTrue(stopping.get(60, TimeUnit.SECONDS));
        }
    }

    @Test
    void clientsWithIdleConnectionsCanSendOneLastRequestDuringTheShutdownDelay() throws Exception {
        Site site = new Site().on("/", exchange -> Site.text(exchange, "here"));
        WireServer server = new WireServer(
                new WireConfig().shutdownDelay(Duration.ofHours(1)).toConfig(),
                site,
                Duration.ofHours(4),
                new RecordedEvents());
        try (RawClient first = server.connect();
                RawClient second = server.connect();
                RawClient third = server.connect()) {
            for (RawClient client : List.of(first, second, third)) {
                client.send(GET);
                assertEquals("", client.answer().field("Connection"));
            }
            // A stopped server has no port, so the port is read before the stop.
            int port = server.port();
            FutureTask<Boolean> stopping = stop(server);
            awaitRefused(port);
            awaitLastRequests(third);
            assertServedAndClosed(first, GET, 200);
            assertServedAndClosed(second, "GET /refused HTTP/1.1\r\nHost: x\r\n\r\n", 404);
            assertTrue(stopping.get(60, TimeUnit.SECONDS));
        }
    }

    @Test
    void idleConnectionsAreClosedAtTheStopTimeoutEvenIfTheShutdownDelayIsLonger() throws Exception {
        WireServer server = new WireServer(
                new WireConfig().shutdownDelay(Duration.ofHours(1)).toConfig(),
                new Site(),
                Duration.ofMillis(200),
                new RecordedEvents());
        try (RawClient idle = server.connect()) {
            idle.send(GET).answer();
            FutureTask<Boolean> stopping = stop(server);
            assertEquals("", idle.rest());
            assertTrue(stopping.get(60, TimeUnit.SECONDS));
        }
    }

    private static void assertServedAndClosed(RawClient client, String request, int status) throws IOException {
        client.send(request);
        Answer answer = client.answer();
        assertEquals(status, answer.status());
        assertEquals("close", answer.field("Connection"));
        assertTrue(client.isAtEnd());
    }

    @Test
    void partlyReceivedRequestsAreStillServedDuringTheStop() throws Exception {
        WireServer server = WireServer.echo();
        try (RawClient inHead = server.connect();
                RawClient inBody = server.connect()) {
            inHead.send("GET /head HTTP/1.1\r\nHo");
            inBody.send("POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhe");
            server.settle();
            // A stopped server has no port, so the port is read before the stop.
            int port = server.port();
            FutureTask<Boolean> stopping = stop(server);
            awaitRefused(port);
            inHead.send("st: x\r\n\r\n");
            inBody.send("llo");
            assertEquals("GET /head\n", inHead.answer().body());
            assertEquals("POST /body\nhello", inBody.answer().body());
            assertTrue(inHead.isAtEnd());
            assertTrue(inBody.isAtEnd());
            assertTrue(stopping.get(60, TimeUnit.SECONDS));
        }
    }

    /**
     * Sends requests until a response has the field {@code Connection: close}. From then on, all responses have this field. The server
     * sends the field for the first time shortly after the close of the port.
     */
    private static void awaitLastRequests(RawClient client) throws IOException {
        String connection = "";
        while (connection.isEmpty()) {
            connection = client.send(GET).answer().field("Connection");
        }
        assertEquals("close", connection);
    }

    private static void awaitRefused(int port) {
        assertThrows(IOException.class, () -> {
            // The loop ends when the acceptor has stopped: then a new connection is refused.
            while (true) {
                new RawClient(port).close();
            }
        });
    }

    /**
     * The server has one worker. The first request runs on this worker, and the second request waits for the worker. The other two requests
     * have not arrived completely.
     */
    @Test
    void requestsWithoutAResponseGet503AfterTheTimeout() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        BlockingQueue<Throwable> seen = new LinkedBlockingQueue<>();
        Site site = new Site().on("/stuck", exchange -> {
            started.countDown();
            seen.add(assertThrows(InterruptedException.class, () -> new CountDownLatch(1).await()));
            Site.text(exchange, "too late");
        });
        WireServer server = new WireServer(
                new WireConfig().workers(1).toConfig(), site, Duration.ofMillis(100), new RecordedEvents());
        try (RawClient stuck = server.connect();
                RawClient queued = server.connect();
                RawClient inHead = server.connect();
                RawClient inBody = server.connect()) {
            stuck.send("GET /stuck HTTP/1.1\r\nHost: x\r\n\r\n");
            started.await();
            queued.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello");
            inHead.send("GET /head HTTP/1.1\r\nHo");
            inBody.send("POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhe");
            server.settle();
            FutureTask<Boolean> stopping = stop(server);
            for (RawClient client : List.of(stuck, queued, inHead, inBody)) {
                Answer answer = client.answer();
                assertEquals(503, answer.status());
                assertEquals("close", answer.field("Connection"));
                assertTrue(client.isAtEnd());
            }
            assertNotNull(seen.poll(60, TimeUnit.SECONDS));
            assertTrue(stopping.get(60, TimeUnit.SECONDS));
            assertEquals(4, server.counters.value(Counter.SHUTDOWN_TIMEOUTS));
            assertEquals(4, Collections.frequency(server.events.refused(), "503 shutdown-timeout"));
        }
    }

    /**
     * In HTTP/1.0, the close of the connection marks the end of a response without a length. After a normal close, the client would take
     * the incomplete response for a complete one. So the server resets the connection.
     */
    @Test
    void theConnectionIsResetIfTheResponseIsIncompleteAtTheTimeout() throws Exception {
        Site site = new Site().on("/endless", exchange -> {
            exchange.response().head(new ResponseHead(200, Fields.EMPTY, -1));
            exchange.response().flush();
            assertThrows(InterruptedException.class, () -> new CountDownLatch(1).await());
            // The exchange must end, so that it releases its head, but only after the server has ended the connection.
            while (exchange.client() != Exchange.ClientState.GONE) {
                Thread.onSpinWait();
            }
            exchange.response().finish(Fields.EMPTY);
        });
        WireServer server =
                new WireServer(new WireConfig().toConfig(), site, Duration.ofMillis(100), new RecordedEvents());
        try (RawClient client = server.connect()) {
            client.send("GET /endless HTTP/1.0\r\n\r\n");
            assertEquals("HTTP/1.1 200 OK", client.line());
            FutureTask<Boolean> stopping = stop(server);
            assertThrows(IOException.class, client::rest);
            assertTrue(stopping.get(60, TimeUnit.SECONDS));
        }
    }
}

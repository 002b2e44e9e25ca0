package io.penstock.server;

import static io.penstock.PromptWaits.PATIENCE;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.events.RequestSummary;
import io.penstock.http1.Answer;
import io.penstock.http1.FollowedEvents;
import io.penstock.http1.RawClient;
import io.penstock.http1.Site;
import io.penstock.http1.WireConfig;
import io.penstock.http1.WireServer;
import io.penstock.limits.Counter;
import io.penstock.limits.Listen.ConnectionsPolicy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Tests connections beyond the limit {@code max-connections}. The policy decides what happens: the client gets a 503 at once, or the client
 * waits until another connection has closed.
 */
final class MaxConnectionsTest {
    private static final String GET = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";

    private static WireServer server(ConnectionsPolicy policy) throws IOException {
        return WireServer.echo(new WireConfig().maxConnections(1, policy));
    }

    /** Connects a client, and reads a response. The connection stays open, so the limit of one connection is reached. */
    private static RawClient served(WireServer server) throws IOException {
        RawClient client = server.connect();
        client.send(GET);
        assertEquals(200, client.answer().status());
        return client;
    }

    @Test
    void aClientGets503WithARetryAfterFieldUntilAnotherClientHasDisconnected() throws Exception {
        try (WireServer server = server(ConnectionsPolicy.REFUSE)) {
            try (RawClient first = served(server);
                    RawClient second = server.connect()) {
                Answer answer = second.answer();
                assertEquals(503, answer.status());
                assertEquals("1", answer.field("Retry-After"));
                assertEquals("close", answer.field("Connection"));
                assertTrue(second.isAtEnd());
                assertEquals(1, server.counters.value(Counter.CONNECTIONS_REFUSED));
                assertEquals(List.of("503 max-connections"), server.events.refused());
                first.send(GET);
                assertEquals(200, first.answer().status());
            }
            await().until(() -> server.transport.connections().open().count() == 0);
            served(server).close();
        }
    }

    /**
     * The value of {@code Retry-After} depends on the request queue, because connections close only after their requests have been served.
     * The value is larger if requests wait longer in the queue.
     */
    @Test
    void theRetryAfterTimeIsLongerThanOneSecondIfManyRequestsAreQueued() throws Exception {
        int most = 40;
        CountDownLatch go = new CountDownLatch(1);
        Site site = new Site().on("/block", exchange -> {
            go.await();
            Site.text(exchange, "done");
        });
        List<RawClient> crowd = new ArrayList<>();
        try (WireServer server =
                WireServer.with(new WireConfig().workers(1).maxConnections(most, ConnectionsPolicy.REFUSE), site)) {
            for (int i = 0; i < most; i++) {
                crowd.add(server.connect().send("GET /block HTTP/1.1\r\nHost: x\r\n\r\n"));
            }
            await().until(() -> server.transport.queue().size() == most - 1);
            await().until(() -> retryAfter(server) > 1);
            go.countDown();
            for (RawClient client : crowd) {
                assertEquals(200, client.answer().status());
            }
        } finally {
            for (RawClient client : crowd) {
                client.close();
            }
        }
    }

    private static int retryAfter(WireServer server) throws IOException {
        try (RawClient client = server.connect()) {
            Answer answer = client.answer();
            assertEquals(503, answer.status());
            return Integer.parseInt(answer.field("Retry-After"));
        }
    }

    @Test
    void aRefusedClientIsReportedAsOneRequest() throws Exception {
        FollowedEvents events = new FollowedEvents();
        WireConfig config = new WireConfig().maxConnections(1, ConnectionsPolicy.REFUSE);
        try (WireServer server = new WireServer(config.toConfig(), new Site(), PATIENCE, events);
                RawClient first = served(server);
                RawClient second = server.connect()) {
            second.send(GET);
            Answer answer = second.answer();
            assertEquals(503, answer.status());
            RequestSummary summary = events.summary("c2-1");
            assertEquals(List.of("head   ", "responding 503", "ended REFUSED 503"), events.of("c2-1"));
            assertEquals("max-connections", summary.reason());
            assertTrue(summary.volume().sent() > answer.body().length(), summary::toString);
            first.send(GET);
            assertEquals(200, first.answer().status());
        }
    }

    @Test
    void aRefusedClientReceivesStatus503EvenIfItSendsALargeBody() throws Exception {
        try (WireServer server = server(ConnectionsPolicy.REFUSE);
                RawClient first = served(server);
                RawClient second = server.connect()) {
            second.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n" + "x".repeat(200_000));
            assertEquals(503, second.answer().status());
            assertTrue(second.isAtEnd());
            first.send(GET);
            assertEquals(200, first.answer().status());
        }
    }

    @Test
    void onlyALimitedNumberOfRefusedConnectionsStaysOpen() throws Exception {
        List<RawClient> crowd = new ArrayList<>();
        try (WireServer server = server(ConnectionsPolicy.REFUSE);
                RawClient first = served(server)) {
            for (int i = 0; i < 3 * ConnectionAcceptor.MAX_REFUSED; i++) {
                RawClient client = server.connect();
                crowd.add(client);
                assertEquals(503, client.answer().status());
                assertTrue(server.transport.connections().refused() <= ConnectionAcceptor.MAX_REFUSED);
            }
            assertEquals(3 * ConnectionAcceptor.MAX_REFUSED, server.counters.value(Counter.CONNECTIONS_REFUSED));
            first.send(GET);
            assertEquals(200, first.answer().status());
        } finally {
            for (RawClient client : crowd) {
                client.close();
            }
        }
    }

    @Test
    void aRefusedConnectionIsClosedAfterTheLingerTimeoutIfTheClientDoesNotCloseIt() throws Exception {
        WireConfig config =
                new WireConfig().maxConnections(1, ConnectionsPolicy.REFUSE).linger(50);
        try (WireServer server = WireServer.echo(config);
                RawClient first = served(server);
                RawClient second = server.connect()) {
            assertEquals(503, second.answer().status());
            server.events.awaitTimeout("linger-timeout");
            server.events.awaitClosed(1);
            assertEquals(1, server.counters.value(Counter.LINGER_TIMEOUTS));
            await().until(() -> server.transport.connections().refused() == 0);
            first.send(GET);
            assertEquals(200, first.answer().status());
        }
    }

    @Test
    void theSecondClientIsServedAfterTheFirstClientHasDisconnectedIfThePolicyIsWait() throws Exception {
        try (WireServer server = server(ConnectionsPolicy.WAIT)) {
            RawClient first = served(server);
            // The second client needs its own thread. With TLS or another layer, connect() waits for the handshake, and
            // the handshake starts only after the first connection has closed.
            FutureTask<Integer> second = new FutureTask<>(() -> {
                try (RawClient client = server.connect()) {
                    return client.send(GET).answer().status();
                }
            });
            new Thread(second, "second client").start();
            await().until(() -> server.counters.value(Counter.ACCEPT_PAUSES) == 1);
            first.send(GET);
            assertEquals(200, first.answer().status());
            assertEquals(1, server.transport.connections().open().count());
            first.close();
            assertEquals(200, second.get(60, TimeUnit.SECONDS));
            assertEquals(0, server.counters.value(Counter.CONNECTIONS_REFUSED));
        }
    }

    @Test
    void aServerAtTheConnectionLimitCanBeStopped() throws Exception {
        WireServer server = server(ConnectionsPolicy.WAIT);
        try (RawClient first = served(server)) {
            await().until(() -> server.counters.value(Counter.ACCEPT_PAUSES) == 1);
            FutureTask<Boolean> stopping = new FutureTask<>(() -> {
                server.close();
                return true;
            });
            new Thread(stopping, "stopper").start();
            assertTrue(first.isAtEnd());
            assertTrue(stopping.get(60, TimeUnit.SECONDS));
        }
    }
}

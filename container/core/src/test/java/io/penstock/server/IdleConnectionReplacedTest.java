package io.penstock.server;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.ConnectionSnapshot;
import io.penstock.exchange.ConnectionState;
import io.penstock.http1.RawClient;
import io.penstock.http1.Site;
import io.penstock.http1.WireConfig;
import io.penstock.http1.WireServer;
import io.penstock.limits.Counter;
import io.penstock.limits.Listen.ConnectionsPolicy;
import io.penstock.spool.SimulatedDisk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/**
 * Tests that a new connection can replace an idle connection if the limit of connections is reached ({@code max-connections-policy}). So
 * idle connections do not block new clients. A connection with a running request is not replaced.
 */
final class IdleConnectionReplacedTest {
    private static final String GET = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";

    private static WireConfig most(int connections) {
        return new WireConfig().maxConnections(connections, ConnectionsPolicy.REPLACE);
    }

    private static void assertServed(RawClient client) throws IOException {
        client.send(GET);
        assertEquals(200, client.answer().status());
    }

    /** Waits until {@code connections} connections are idle. */
    private static void awaitIdle(WireServer server, int connections) {
        await().until(() -> states(server).get(ConnectionState.IDLE) == connections);
    }

    @Test
    void theOldestIdleConnectionIsReplaced() throws Exception {
        try (WireServer server = WireServer.echo(most(2));
                RawClient oldest = server.connect()) {
            assertServed(oldest);
            awaitIdle(server, 1);
            try (RawClient second = server.connect()) {
                assertServed(second);
                awaitIdle(server, 2);
                try (RawClient third = server.connect()) {
                    assertServed(third);
                    assertTrue(oldest.isAtEnd());
                    assertServed(second);
                    await().until(() -> server.transport.connections().open().count() == 2);
                }
            }
            assertEquals(1, server.counters.value(Counter.CONNECTIONS_REPLACED));
            assertEquals(0, server.counters.value(Counter.CONNECTIONS_REFUSED));
        }
    }

    @Test
    void connectionsWithoutACompleteRequestHeadDoNotBlockNewClients() throws Exception {
        List<RawClient> crowd = new ArrayList<>();
        try (WireServer server = WireServer.echo(most(20).linger(50))) {
            try {
                for (int i = 0; i < 100; i++) {
                    crowd.add(server.connect());
                    if (i % 2 != 0) {
                        crowd.get(i).send("GET /a HTTP/1.1\r\nHost: ");
                    }
                }
                try (RawClient late = server.connect()) {
                    assertServed(late);
                }
                await().until(() -> server.transport.connections().open().count() <= 20);
                await().until(() -> server.transport.connections().refused() == 0);
            } finally {
                for (RawClient client : crowd) {
                    // Open clients would delay the stop of the server.
                    client.close();
                }
            }
        }
    }

    @Test
    void aConnectionWithARunningOrQueuedRequestIsNotReplaced() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Site site = new Site().on("/block", exchange -> {
            go.await();
            Site.text(exchange, "done");
        });
        try (WireServer server = WireServer.with(most(2).workers(1), site);
                RawClient running = server.connect().send("GET /block HTTP/1.1\r\nHost: x\r\n\r\n");
                RawClient queued = server.connect().send("GET /block HTTP/1.1\r\nHost: x\r\n\r\n")) {
            await().until(() -> server.transport.queue().size() == 1);
            try (RawClient third = server.connect()) {
                assertEquals(503, third.answer().status());
            }
            assertEquals(1, server.counters.value(Counter.CONNECTIONS_REFUSED));
            assertEquals(0, server.counters.value(Counter.CONNECTIONS_REPLACED));
            go.countDown();
            assertEquals(200, running.answer().status());
            assertEquals(200, queued.answer().status());
        }
    }

    /**
     * The first client is receiving a response, and the second client has sent nothing. The connection of the third client replaces the
     * connection of the second client.
     */
    @Test
    void anUnusedConnectionIsReplacedInsteadOfAConnectionThatSendsAResponse() throws Exception {
        Site site = new Site().on("/large", exchange -> Site.text(exchange, "x".repeat(4 << 20)));
        // The socket buffers are small. So most of the response stays in the server, and the reader's connection stays
        // in the state DRAINING.
        try (WireServer server =
                        WireServer.with(most(2).overSockets().workers(1).sendBuffer(4096), site);
                RawClient reader = server.connectWithReceiveBuffer(4096)) {
            reader.send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
            await().until(() -> states(server).get(ConnectionState.DRAINING) == 1);
            try (RawClient silent = server.connect()) {
                await().until(() -> states(server).get(ConnectionState.IDLE) == 1);
                try (RawClient third = server.connect().send("GET /other HTTP/1.1\r\nHost: x\r\n\r\n")) {
                    assertTrue(third.answer().status() > 0);
                    assertTrue(silent.isAtEnd());
                    assertEquals(4 << 20, reader.answer().body().length());
                }
            }
        }
    }

    /** The client still reads its first response. That must not hide that its next request needs only the server. */
    @Test
    void aConnectionWhoseRequestIsBeingWrittenToDiskIsNotReplaced() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        AtomicBoolean busy = new AtomicBoolean();
        SimulatedDisk disk =
                new SimulatedDisk().beforeWrite(() -> await().until(() -> !busy.get() || go.getCount() == 0));
        Site site = new Site().on("/large", exchange -> Site.text(exchange, "x".repeat(60_000)));
        WireConfig config = most(1).overSockets().sendBuffer(4096).pipes(64 * 1024, 1024);
        try (WireServer server = new WireServer(config, site, disk);
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
            await().until(() -> states(server).get(ConnectionState.DRAINING) == 1);
            // The body is larger than the largest pipe, so it goes to disk.
            String body = "y".repeat(1_000_000);
            client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n" + body.substring(1));
            await().until(() -> requestBytes(server) == body.length() - 1);
            busy.set(true);
            client.send("y");
            await().until(() -> states(server).get(ConnectionState.STORING) == 1);
            await().until(() -> server.transport.dump().contains("c1-2 POST /a\n"));
            try (RawClient second = server.connect()) {
                assertEquals(503, second.answer().status());
            }
            go.countDown();
            assertEquals(60_000, client.answer().body().length());
            assertEquals("POST /a\n" + body, client.answer().body());
            assertEquals(0, server.counters.value(Counter.CONNECTIONS_REPLACED));
        }
    }

    private static long requestBytes(WireServer server) {
        return server.transport.list().connections().stream()
                .mapToLong(ConnectionSnapshot::requestBytes)
                .sum();
    }

    private static Map<ConnectionState, Long> states(WireServer server) {
        return server.transport.list().counts();
    }
}

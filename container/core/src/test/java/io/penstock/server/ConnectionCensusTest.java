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
import io.penstock.metrics.Gauge;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/**
 * Tests the overview of the connections: the number of connections in each state, the connections with the most buffered bytes, the number
 * of workers that wait for clients, and the age of the oldest queued request.
 */
final class ConnectionCensusTest {
    private static List<String> busiest(WireServer server, int most) {
        return server.transport.census(most).busiest().stream()
                .map(ConnectionSnapshot::connection)
                .toList();
    }

    private static void awaitLevel(WireServer server, Gauge gauge, long value) {
        await().until(() -> server.transport.gauges().value(gauge) == value);
    }

    @Test
    void connectionsAreSortedByBufferedBytesAndConnectionsWithoutBytesAreOmitted() throws Exception {
        try (WireServer server = WireServer.with(new WireConfig(), new Site());
                RawClient idle = server.connect();
                RawClient little = server.connect();
                RawClient much = server.connect();
                RawClient none = server.connect()) {
            idle.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals(200, idle.answer().status());
            little.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc");
            much.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 9000\r\n\r\n" + "x".repeat(4000));
            none.send("GET /a HTTP/1.1\r\nHo");
            await().until(() -> server.transport.census(0).counts().get(ConnectionState.HEAD) == 1);
            await().until(() -> busiest(server, 5).equals(List.of("c3", "c2")));
            assertEquals(List.of("c3"), busiest(server, 1));
            assertEquals(List.of(), busiest(server, 0));
            ConnectionCensus census = server.transport.census(5);
            assertEquals(2, census.counts().get(ConnectionState.BODY));
            assertEquals(1, census.counts().get(ConnectionState.HEAD));
            assertEquals(1, census.counts().get(ConnectionState.IDLE));
            assertEquals(0, census.counts().get(ConnectionState.RUNNING));
            assertEquals(4000, census.busiest().get(0).requestInMemory());
            assertEquals(List.of(), census.missing());
        }
    }

    @Test
    void halfOfTheListContainsConnectionsWithRequestBytesEvenIfResponsesAreLarger() throws Exception {
        Site site = new Site().on("/large", exchange -> Site.text(exchange, "x".repeat(4 << 20)));
        try (WireServer server = WireServer.with(new WireConfig().sendBuffer(4096), site);
                RawClient sending = server.connect();
                RawClient one = server.connectWithReceiveBuffer(4096);
                RawClient other = server.connectWithReceiveBuffer(4096)) {
            sending.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nabc");
            one.send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
            other.send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
            await().until(() -> server.transport.census(0).counts().get(ConnectionState.DRAINING) == 2);
            await().until(() -> busiest(server, 5).size() == 3);
            List<String> two = busiest(server, 2);
            assertEquals(2, two.size());
            assertEquals("c1", two.get(1));
        }
    }

    @Test
    void workersAreCountedSeparatelyWhileTheyWaitForClients() throws Exception {
        CountDownLatch leave = new CountDownLatch(1);
        Site site = new Site()
                .on("/wait", exchange -> {
                    leave.await();
                    Site.echo(exchange);
                })
                .on("/large", exchange -> Site.text(exchange, "x".repeat(4 << 20)));
        WireConfig config = new WireConfig().sendBuffer(4096).responseSpoolLimit(0);
        try (WireServer server = WireServer.with(config, site);
                RawClient working = server.connect();
                RawClient sending = server.connect();
                RawClient reading = server.connectWithReceiveBuffer(4096)) {
            working.send("GET /wait HTTP/1.1\r\nHost: x\r\n\r\n");
            awaitLevel(server, Gauge.WORKERS_BUSY, 1);
            assertEquals(0, server.transport.gauges().value(Gauge.WORKERS_WAITING));
            sending.send("POST /stream HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\na");
            awaitLevel(server, Gauge.WORKERS_WAITING, 1);
            reading.send("GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            awaitLevel(server, Gauge.WORKERS_WAITING, 2);
            sending.send("b");
            assertEquals(200, sending.answer().status());
            assertTrue(reading.rest().endsWith("xxx"));
            awaitLevel(server, Gauge.WORKERS_WAITING, 0);
            leave.countDown();
            assertEquals(200, working.answer().status());
        }
    }

    @Test
    void theGaugeShowsTheAgeOfTheOldestQueuedRequest() throws Exception {
        CountDownLatch leave = new CountDownLatch(1);
        Site site = new Site().on("/wait", exchange -> {
            leave.await();
            Site.echo(exchange);
        });
        try (WireServer server = WireServer.with(new WireConfig().workers(1), site);
                RawClient working = server.connect();
                RawClient waiting = server.connect()) {
            working.send("GET /wait HTTP/1.1\r\nHost: x\r\n\r\n");
            awaitLevel(server, Gauge.WORKERS_BUSY, 1);
            assertEquals(0, server.transport.gauges().value(Gauge.QUEUE_OLDEST));
            waiting.send("GET /b HTTP/1.1\r\nHost: x\r\n\r\n");
            await().until(() -> server.transport.gauges().value(Gauge.QUEUE_OLDEST) >= 50);
            leave.countDown();
            assertEquals(200, working.answer().status());
            assertEquals(200, waiting.answer().status());
            assertEquals(0, server.transport.gauges().value(Gauge.QUEUE_OLDEST));
        }
    }
}

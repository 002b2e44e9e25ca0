package io.penstock.exchange;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.penstock.http1.Answer;
import io.penstock.http1.RawClient;
import io.penstock.http1.Site;
import io.penstock.http1.WireConfig;
import io.penstock.http1.WireServer;
import io.penstock.limits.Counter;
import io.penstock.limits.Key;
import io.penstock.limits.ServerConfig;
import io.penstock.limits.Timeouts;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/**
 * The server refuses a request body that arrives too slowly, even if a byte arrives from time to time. Time in which the server does not
 * read the body does not count.
 */
final class BodyRateTest {
    private static final long SECOND = 1_000_000_000;
    private static final int STALL = 400;

    private static BodyPace pace(int stallSeconds, int totalSeconds, long bytesPerSecond) {
        Timeouts given = ServerConfig.defaults().timeouts();
        return new BodyPace(new Timeouts(
                given.handshake(),
                given.head(),
                Duration.ofSeconds(stallSeconds),
                Duration.ofSeconds(totalSeconds),
                bytesPerSecond,
                given.keepAlive(),
                given.writeStall(),
                given.upgradeIdle(),
                given.linger(),
                given.shutdownDelay(),
                given.shutdown()));
    }

    /** Sends a head, and then one byte at a time until the server reports a timeout. Returns the response. */
    private static Answer sendSlowly(WireServer server, RawClient client) throws Exception {
        client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n");
        while (server.events.timedOut().isEmpty()) {
            client.send("x");
            server.pass(Duration.ofMillis(STALL / 4));
        }
        return client.answer();
    }

    @Test
    void aBodyBelowTheMinimumRateCausesStatus408() throws Exception {
        WireConfig config = new WireConfig().timeByHand().bodyStall(STALL).bodyMinRate(10_000_000);
        try (WireServer server = WireServer.echo(config);
                RawClient client = server.connect()) {
            Answer answer = sendSlowly(server, client);
            assertEquals(408, answer.status());
            assertEquals("close", answer.field("Connection"));
            assertEquals(List.of("body-min-rate"), server.events.timedOut());
            assertEquals(1, server.counters.value(Counter.SLOW_BODIES));
            assertEquals("", client.rest());
        }
    }

    @Test
    void aBodyThatExceedsTheTotalTimeoutCausesStatus408() throws Exception {
        WireConfig config =
                new WireConfig().timeByHand().bodyStall(STALL).bodyMinRate(0).bodyTotal(3 * STALL);
        try (WireServer server = WireServer.echo(config);
                RawClient client = server.connect()) {
            Answer answer = sendSlowly(server, client);
            assertEquals(408, answer.status());
            assertEquals(List.of("body-total-timeout"), server.events.timedOut());
            assertEquals(1, server.counters.value(Counter.BODY_TOTAL_TIMEOUTS));
        }
    }

    @Test
    void bodyTimeoutsAreSuspendedWhileTheApplicationDoesNotRead() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Site site = new Site().on("/stream", exchange -> {
            go.await();
            Site.text(exchange, String.valueOf(Site.readAll(exchange).length));
        });
        WireConfig config = new WireConfig()
                .timeByHand()
                .pipes(4096, 1024)
                .bodyStall(STALL)
                .bodyTotal(2 * STALL)
                .bodyMinRate(1000);
        try (WireServer server = WireServer.with(config, site);
                RawClient client = server.connect()) {
            client.send("POST /stream HTTP/1.1\r\nHost: x\r\nContent-Length: 50000\r\n\r\n")
                    .send(new byte[50_000]);
            for (int i = 0; i < 4; i++) {
                server.pass(Duration.ofMillis(STALL));
            }
            go.countDown();
            assertEquals("50000", client.answer().body());
        }
    }

    @Test
    void theMinimumRateIsCheckedForEachPeriodSeparately() {
        BodyPace pace = pace(10, 1000, 100);
        pace.awaitClient(0);
        pace.arrived(1_000_000);
        pace.awaitClient(9 * SECOND);
        assertEquals(SECOND, pace.safeFor(9 * SECOND));
        assertNull(pace.passed(10 * SECOND), "a body that was fast enough was refused");
        pace.arrived(999);
        pace.awaitClient(19 * SECOND);
        assertEquals(Key.BODY_MIN_RATE, pace.passed(20 * SECOND), "bytes of the first period were counted");
    }

    @Test
    void aBodyAtExactlyTheMinimumRateIsAccepted() {
        BodyPace pace = pace(10, 1000, 100);
        pace.awaitClient(0);
        pace.arrived(1000);
        pace.awaitClient(9 * SECOND);
        assertNull(pace.passed(10 * SECOND));
    }

    @Test
    void theStallTimeoutIsReportedIfNoByteArrives() {
        BodyPace pace = pace(10, 10, 100);
        pace.awaitClient(0);
        assertNull(pace.passed(10 * SECOND - 1));
        assertEquals(Key.BODY_STALL_TIMEOUT, pace.passed(10 * SECOND));
    }

    @Test
    void theTotalTimeoutIsSuspendedWhileTheServerDoesNotWaitForTheClient() {
        BodyPace pace = pace(10, 30, 100);
        for (int hour = 0; hour < 3; hour++) {
            long begins = hour * 3600 * SECOND;
            pace.awaitClient(begins);
            pace.arrived(1000);
            pace.awaitServer(begins + 9 * SECOND);
            assertNull(pace.passed(begins + 1800 * SECOND));
        }
        long last = 3 * 3600 * SECOND;
        pace.awaitClient(last);
        pace.arrived(10_000);
        assertNull(pace.passed(last + 2 * SECOND));
        pace.awaitClient(last + 2 * SECOND);
        assertEquals(Key.BODY_TOTAL_TIMEOUT, pace.passed(last + 3 * SECOND));
    }

    @Test
    void theValueZeroDisablesTheMinimumRate() {
        BodyPace pace = pace(10, 1000, 0);
        for (int i = 0; i < 50; i++) {
            pace.awaitClient(i * 9 * SECOND);
            assertNull(pace.passed(i * 9 * SECOND + 5 * SECOND));
        }
    }
}

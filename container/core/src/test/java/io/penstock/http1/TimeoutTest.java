package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.ClientFault;
import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import io.penstock.limits.Counter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the timeouts for slow clients and idle clients. Each timeout has a name and a defined effect. */
final class TimeoutTest {
    private static final int TIMEOUT_MILLIS = 100;

    /** {@link #TIMEOUT_MILLIS} and one tick of the timers (20 ms), since a timer can fire one tick late. */
    private static final Duration LONGER_THAN_TIMEOUT = Duration.ofMillis(TIMEOUT_MILLIS + 20);

    @Test
    void anIncompleteRequestHeadIsAnsweredWithStatus408() throws Exception {
        try (WireServer server = WireServer.echo(new WireConfig().timeByHand().headTimeout(TIMEOUT_MILLIS));
                RawClient client = server.connect()) {
            client.send("GET /a HTTP/1.1\r\nHost:");
            server.pass(LONGER_THAN_TIMEOUT);
            Answer answer = client.answer();
            assertEquals(408, answer.status());
            assertEquals("close", answer.field("Connection"));
            assertEquals("", client.rest());
            assertEquals(List.of("head-timeout"), server.events.timedOut());
        }
    }

    @Test
    void theIncompleteHeadOfASecondRequestIsAnsweredWithStatus408() throws Exception {
        try (WireServer server = WireServer.echo(new WireConfig().timeByHand().headTimeout(TIMEOUT_MILLIS));
                RawClient client = server.connect()) {
            client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b");
            assertEquals(200, client.answer().status());
            server.passUntilTimeout(LONGER_THAN_TIMEOUT, "head-timeout");
            assertEquals(408, client.answer().status());
            assertEquals("", client.rest());
            assertEquals(List.of("head-timeout"), server.events.timedOut());
        }
    }

    @Test
    void theConnectionIsClosedWithoutAResponseIfTheClientSendsNothing() throws Exception {
        try (WireServer server = WireServer.echo(
                        new WireConfig().overSockets().timeByHand().headTimeout(TIMEOUT_MILLIS));
                RawClient client = server.connect()) {
            server.pass(LONGER_THAN_TIMEOUT);
            assertEquals("", client.rest());
            assertEquals(List.of("head-timeout"), server.events.timedOut());
        }
    }

    @Test
    void aStalledRequestBodyIsAnsweredWithStatus408() throws Exception {
        try (WireServer server = WireServer.echo(new WireConfig().timeByHand().bodyStall(TIMEOUT_MILLIS));
                RawClient client = server.connect()) {
            client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhel");
            server.pass(LONGER_THAN_TIMEOUT);
            Answer answer = client.answer();
            assertEquals(408, answer.status());
            assertEquals("close", answer.field("Connection"));
            assertEquals("", client.rest());
            assertEquals(List.of("body-stall-timeout"), server.events.timedOut());
        }
    }

    @Test
    void aHandlerThatReadsAStalledBodyGetsAnExceptionWithStatus408() throws Exception {
        BlockingQueue<Integer> seen = new LinkedBlockingQueue<>();
        Site site = new Site().on("/stream", exchange -> {
            ClientFault fault = assertThrows(ClientFault.class, () -> Site.readAll(exchange));
            seen.add(fault.status());
            exchange.response().head(new ResponseHead(fault.status(), Fields.EMPTY, -1));
            exchange.response().finish(Fields.EMPTY);
        });
        try (WireServer server = WireServer.with(new WireConfig().timeByHand().bodyStall(TIMEOUT_MILLIS), site);
                RawClient client = server.connect()) {
            client.send("POST /stream HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhel");
            server.passUntilTimeout(LONGER_THAN_TIMEOUT, "body-stall-timeout");
            Answer answer = client.answer();
            assertEquals(408, answer.status());
            assertEquals("close", answer.field("Connection"));
            assertEquals("", client.rest());
            assertEquals(408, seen.poll(60, TimeUnit.SECONDS));
            assertEquals(List.of("body-stall-timeout"), server.events.timedOut());
        }
    }

    @Test
    void theBodyTimeoutDoesNotApplyWhileTheHandlerDoesNotReadALargeBody() throws Exception {
        CountDownLatch dispatched = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Site site = new Site().on("/upload", exchange -> {
            dispatched.countDown();
            go.await();
            Site.text(exchange, String.valueOf(Site.readAll(exchange).length));
        });
        try (WireServer server = WireServer.with(
                        new WireConfig().timeByHand().pipes(4096, 1024).bodyStall(TIMEOUT_MILLIS), site);
                RawClient client = server.connect()) {
            client.send("POST /upload HTTP/1.1\r\nHost: x\r\nContent-Length: 10000\r\n\r\n")
                    .send(new byte[10_000]);
            dispatched.await();
            server.pass(LONGER_THAN_TIMEOUT);
            server.pass(LONGER_THAN_TIMEOUT);
            go.countDown();
            assertEquals("10000", client.answer().body());
        }
    }

    @Test
    void theBodyTimeoutDoesNotApplyBefore100ContinueIsSentForAPipelinedRequest() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Site site = new Site().on("/slow", exchange -> {
            go.await();
            Site.text(exchange, "slow");
        });
        try (WireServer server = WireServer.with(new WireConfig().timeByHand().bodyStall(TIMEOUT_MILLIS), site);
                RawClient client = server.connect()) {
            client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n"
                    + "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
            server.pass(LONGER_THAN_TIMEOUT);
            server.pass(LONGER_THAN_TIMEOUT);
            go.countDown();
            assertEquals("slow", client.answer().body());
            assertEquals(100, client.answer().status());
            client.send("hello");
            assertEquals("POST /a\nhello", client.answer().body());
        }
    }

    @Test
    void theBodyTimeoutDoesNotApplyBefore100ContinueIsSentForAStreamingRequest() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Site site = new Site().on("/stream", exchange -> {
            go.await();
            Site.echo(exchange);
        });
        try (WireServer server = WireServer.with(new WireConfig().timeByHand().bodyStall(TIMEOUT_MILLIS), site);
                RawClient client = server.connect()) {
            client.send("POST /stream HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
            server.pass(LONGER_THAN_TIMEOUT);
            server.pass(LONGER_THAN_TIMEOUT);
            go.countDown();
            assertEquals(100, client.answer().status());
            client.send("hello");
            assertEquals("POST /stream\nhello", client.answer().body());
        }
    }

    @Test
    void anIdleConnectionIsClosedWithoutAResponse() throws Exception {
        try (WireServer server = WireServer.echo(new WireConfig().timeByHand().keepAlive(TIMEOUT_MILLIS));
                RawClient client = server.connect()) {
            client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /refused HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals(200, client.answer().status());
            assertEquals(404, client.answer().status());
            server.passUntilTimeout(LONGER_THAN_TIMEOUT, "keep-alive-timeout");
            assertEquals("", client.rest());
            assertEquals(List.of("keep-alive-timeout"), server.events.timedOut());
        }
    }

    /** Some clients send an empty line behind the body of a POST request (RFC 9112 section 2.2). The parameter is what they send. */
    @ParameterizedTest
    @ValueSource(strings = {"\r\n", "\r|\n", "\r\n|\r\n"})
    void anEmptyLineBehindARequestDoesNotBeginTheNextRequest(String line) throws Exception {
        WireConfig config =
                new WireConfig().timeByHand().headTimeout(TIMEOUT_MILLIS).keepAlive(10_000);
        try (WireServer server = WireServer.echo(config);
                RawClient client = server.connect()) {
            for (int i = 0; i < 2; i++) {
                client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello");
                assertEquals(200, client.answer().status());
                for (String part : line.split("\\|")) {
                    client.send(part);
                    server.settle();
                }
                server.pass(LONGER_THAN_TIMEOUT);
                server.pass(Duration.ofSeconds(8));
            }
            assertEquals(List.of(), server.events.timedOut());
            server.awaitNothingHeld();
            server.passUntilTimeout(Duration.ofSeconds(2), "keep-alive-timeout");
            assertEquals("", client.rest());
            assertEquals(List.of("keep-alive-timeout"), server.events.timedOut());
        }
    }

    @Test
    void aConnectionThatIsIdleAgainAndAgainIsServedUntilItIsIdleForTooLong() throws Exception {
        try (WireServer server = WireServer.echo(new WireConfig().timeByHand().keepAlive(10_000));
                RawClient client = server.connect()) {
            for (int i = 0; i < 3; i++) {
                client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
                assertEquals(200, client.answer().status());
                server.pass(Duration.ofSeconds(1)); // now the connection holds no object of a request
                server.pass(Duration.ofSeconds(8));
            }
            assertEquals(List.of(), server.events.timedOut());
            server.passUntilTimeout(Duration.ofSeconds(2), "keep-alive-timeout");
            assertEquals("", client.rest());
            assertEquals(List.of("keep-alive-timeout"), server.events.timedOut());
        }
    }

    @Test
    void theKeepAliveTimeoutDoesNotApplyWhileARequestRuns() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Site site = new Site().on("/slow", exchange -> {
            go.await();
            Site.text(exchange, "slow");
        });
        try (WireServer server = WireServer.with(new WireConfig().timeByHand().keepAlive(TIMEOUT_MILLIS), site);
                RawClient client = server.connect()) {
            client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n");
            server.pass(LONGER_THAN_TIMEOUT);
            server.pass(LONGER_THAN_TIMEOUT);
            go.countDown();
            assertEquals("slow", client.answer().body());
        }
    }

    @Test
    void theConnectionIsClosedAndTheWorkerIsReleasedIfTheClientDoesNotRead() throws Exception {
        BlockingQueue<IOException> seen = new LinkedBlockingQueue<>();
        Site site = new Site().on("/endless", exchange -> {
            exchange.response().head(new ResponseHead(200, Fields.EMPTY, -1));
            seen.add(assertThrows(IOException.class, () -> {
                while (true) {
                    exchange.response().write(ByteBuffer.wrap(new byte[10_000]), false);
                }
            }));
            throw seen.peek();
        });
        try (WireServer server = WireServer.with(
                        new WireConfig()
                                .timeByHand()
                                .workers(1)
                                .sendBuffer(4096)
                                .writeStall(TIMEOUT_MILLIS),
                        site);
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send("GET /endless HTTP/1.1\r\nHost: x\r\n\r\n");
            server.passUntilTimeout(LONGER_THAN_TIMEOUT, "write-stall-timeout");
            IOException cause = seen.poll(60, TimeUnit.SECONDS);
            assertTrue(cause.getMessage().contains("write-stall-timeout"), cause.getMessage());
            assertEquals(1, server.counters.value(Counter.WRITE_STALLS));
            try (RawClient other = server.connect()) {
                other.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
                assertEquals("GET /a\n", other.answer().body());
            }
            server.awaitNothingHeld();
        }
    }

    /** With {@code service-timeout} only the reactor sends parts of files, so each write of the handler asks the reactor to send. */
    @Test
    void theConnectionIsClosedIfTheClientDoesNotReadWhileTheHandlerGoesOnWriting() throws Exception {
        Semaphore mayWrite = new Semaphore(0);
        Semaphore written = new Semaphore(0);
        Site site = new Site().on("/events", exchange -> {
            exchange.response().head(new ResponseHead(200, Fields.EMPTY, -1));
            exchange.response().write(ByteBuffer.wrap(new byte[1_000_000]), false);
            while (true) {
                exchange.response().write(ByteBuffer.wrap(new byte[10]), false);
                exchange.response().flush();
                written.release();
                mayWrite.acquire();
            }
        });
        try (WireServer server = WireServer.with(
                        new WireConfig()
                                .timeByHand()
                                .sendBuffer(4096)
                                .serviceTimeout(600_000)
                                .writeStall(TIMEOUT_MILLIS),
                        site);
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send("GET /events HTTP/1.1\r\nHost: x\r\n\r\n");
            for (int i = 0; i < 10 && server.events.timedOut().isEmpty(); i++) {
                assertTrue(written.tryAcquire(60, TimeUnit.SECONDS));
                server.pass(Duration.ofMillis(60));
                mayWrite.release();
            }
            assertEquals(List.of("write-stall-timeout"), server.events.timedOut());
        }
    }

    @Test
    void theConnectionIsClosedIfTheClientDoesNotReadAfterTheHandlerHasReturned() throws Exception {
        Site site = new Site().on("/large", exchange -> {
            exchange.response().head(new ResponseHead(200, Fields.EMPTY, 60_000));
            exchange.response().write(ByteBuffer.wrap(new byte[60_000]), true);
        });
        try (WireServer server = WireServer.with(
                        new WireConfig().timeByHand().sendBuffer(4096).writeStall(TIMEOUT_MILLIS), site);
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
            server.passUntilTimeout(LONGER_THAN_TIMEOUT, "write-stall-timeout");
            server.events.awaitClosed(1);
            assertEquals(1, server.counters.value(Counter.WRITE_STALLS));
            server.awaitNothingHeld();
        }
    }

    @Test
    void theConnectionOfARefusedClientIsClosedAfterTheLingerTimeout() throws Exception {
        try (WireServer server = WireServer.echo(new WireConfig().timeByHand().linger(TIMEOUT_MILLIS));
                RawClient client = server.connect()) {
            client.send("BROKEN\r\n");
            assertEquals(400, client.answer().status());
            assertTrue(client.isAtEnd());
            server.passUntilTimeout(LONGER_THAN_TIMEOUT, "linger-timeout");
            server.events.awaitClosed(1);
            assertEquals(1, server.counters.value(Counter.LINGER_TIMEOUTS));
        }
    }
}

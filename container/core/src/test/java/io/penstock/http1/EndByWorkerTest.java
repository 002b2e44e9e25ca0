package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.Exchange;
import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import io.penstock.limits.Counter;
import io.penstock.limits.Listen.ConnectionsPolicy;
import java.io.Closeable;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The worker that sends the last byte of a connection also ends the output. The reactor closes the connection later. In most of these tests
 * the reactor is busy until the client has got the end, and has answered to it.
 */
final class EndByWorkerTest {
    private static final String LAST = "GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    private static final String MORE = "x".repeat(20_000);

    private final CountDownLatch runs = new CountDownLatch(1);
    private final CountDownLatch answers = new CountDownLatch(1);
    private final CountDownLatch busy = new CountDownLatch(1);
    private final CountDownLatch goesOn = new CountDownLatch(1); // released by each test before its server closes

    /** The reactor of the server is busy from the second connection on, until {@link #goesOn}. */
    private final RecordedEvents events = new RecordedEvents() {
        @Override
        public void opened(String connection, SocketAddress remote) {
            super.opened(connection, remote);
            if (connection.equals("c2")) {
                busy.countDown();
                await(goesOn);
            }
        }
    };

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(60, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private Site site() {
        return new Site().on("/a", exchange -> {
            runs.countDown();
            await(answers);
            Site.text(exchange, "whole");
        });
    }

    /** What the client does after the answer, while the reactor is busy. */
    private enum Then {
        NOTHING,
        CLOSES,
        RESETS,
        HALF_CLOSES,
        SENDS_MORE
    }

    /** The server has read the request of the client, and its worker answers while the reactor is busy. */
    private void answerWhileTheReactorIsBusy(WireServer server, RawClient client, String request) throws IOException {
        client.send(request);
        await(runs);
        server.connect().close();
        await(busy);
        answers.countDown();
    }

    @ParameterizedTest
    @EnumSource(Then.class)
    void theClientGetsTheEndWhileTheReactorIsBusy(Then then) throws Exception {
        try (WireServer server = new WireServer(new WireConfig().overSockets(), site(), events);
                RawClient client = server.connect();
                Closeable release = goesOn::countDown) {
            answerWhileTheReactorIsBusy(server, client, LAST);
            assertEquals("whole", client.answer().body());
            assertEquals("", client.rest());
            switch (then) {
                case NOTHING -> {}
                case CLOSES -> client.close();
                case RESETS -> client.reset();
                case HALF_CLOSES -> client.halfClose();
                case SENDS_MORE -> client.send(MORE).close();
            }
            goesOn.countDown();
            assertEquals("request-close", events.awaitClosed(client));
            assertEquals(0, server.counters.value(Counter.CLIENTS_GONE));
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Then.class,
            names = {"HALF_CLOSES", "SENDS_MORE"})
    void bytesOfTheClientThatWereNotReadCauseNoReset(Then then) throws Exception {
        try (WireServer server = new WireServer(new WireConfig().overSockets(), site(), events);
                RawClient client = server.connect();
                Closeable release = goesOn::countDown) {
            answerWhileTheReactorIsBusy(server, client, LAST);
            client.send(MORE);
            if (then == Then.HALF_CLOSES) {
                client.halfClose();
            }
            goesOn.countDown();
            assertEquals("whole", client.answer().body());
            assertEquals("", client.rest());
        }
    }

    @Test
    void anHttp10ClientGetsTheEndWhileTheReactorIsBusy() throws Exception {
        try (WireServer server = new WireServer(new WireConfig().overSockets(), site(), events);
                RawClient client = server.connect();
                Closeable release = goesOn::countDown) {
            answerWhileTheReactorIsBusy(server, client, "GET /a HTTP/1.0\r\n\r\n");
            assertEquals("whole", client.answer().body());
            assertEquals("", client.rest());
        }
    }

    @Test
    void aServerThatBeginsToStopWhileTheReactorIsBusyClosesTheConnectionOnce() throws Exception {
        WireServer server = new WireServer(new WireConfig().overSockets(), site(), events);
        try (RawClient client = server.connect();
                Closeable release = goesOn::countDown) {
            answerWhileTheReactorIsBusy(server, client, LAST);
            assertEquals("whole", client.answer().body());
            assertEquals("", client.rest());
            server.transport.closeConnections();
            goesOn.countDown();
            server.close();
            assertEquals("request-close", events.awaitClosed(client));
        } finally {
            server.close();
        }
    }

    @Test
    void aRequestBehindTheLastOneIsNotAnswered() throws Exception {
        answers.countDown();
        try (WireServer server = WireServer.with(new WireConfig(), site());
                RawClient client = server.connect()) {
            client.send(LAST + LAST);
            assertEquals("whole", client.answer().body());
            assertEquals("", client.rest());
        }
    }

    /** The application's worker ends the output while the client still sends the body. */
    @Test
    void aClientWhoseBodyIsNotReadGetsTheResponseAndNoReset() throws Exception {
        answers.countDown();
        Site site = new Site().on("/stream", exchange -> Site.text(exchange, "early"));
        try (WireServer server = WireServer.with(new WireConfig(), site)) {
            for (int i = 0; i < 20; i++) {
                try (RawClient client = server.connect()) {
                    client.send(
                            "POST /stream HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 40000\r\n\r\n");
                    client.send(MORE);
                    client.send(MORE);
                    assertEquals("early", client.answer().body());
                    assertEquals("", client.rest());
                }
            }
        }
    }

    private static void writeMuch(Exchange exchange) throws IOException {
        exchange.response().head(new ResponseHead(200, Fields.EMPTY, -1));
        for (int i = 0; i < 100; i++) {
            exchange.response().write(ByteBuffer.allocate(20_000), false);
        }
        exchange.response().finish(Fields.EMPTY);
    }

    @Test
    void aResponseThatWentPartlyThroughThePipeIsSentBeforeTheEnd() throws Exception {
        Site site = new Site().on("/a", EndByWorkerTest::writeMuch);
        try (WireServer server = WireServer.with(new WireConfig().sendBuffer(4096), site)) {
            for (int i = 0; i < 5; i++) {
                try (RawClient client = server.connectWithReceiveBuffer(4096)) {
                    client.send(LAST);
                    assertEquals(2_000_000, client.answer().body().length());
                    assertEquals("", client.rest());
                    assertEquals("request-close", server.events.awaitClosed(client));
                }
            }
        }
    }

    @Test
    void overTlsTheEndComesAfterTheClosingBytes() throws Exception {
        answers.countDown();
        try (WireServer server = WireServer.with(new WireConfig().overTls(), site());
                RawClient client = server.connect()) {
            client.send(LAST);
            assertEquals("whole", client.answer().body());
            assertEquals("", client.rest());
            assertEquals("request-close", server.events.awaitClosed(client));
        }
    }

    /** If the end came before the close, the next client could come before the close, and would be refused. */
    @Test
    void aClientThatHasGotTheEndHasGivenItsPlaceFree() throws Exception {
        answers.countDown();
        WireConfig config = new WireConfig().maxConnections(1, ConnectionsPolicy.REFUSE);
        try (WireServer server = WireServer.with(config, site())) {
            for (int i = 0; i < 200; i++) {
                try (RawClient client = server.connect()) {
                    client.send(LAST);
                    assertEquals(200, client.answer().status());
                    assertEquals("", client.rest());
                }
            }
        }
    }
}

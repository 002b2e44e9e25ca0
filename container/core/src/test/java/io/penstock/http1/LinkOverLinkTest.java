package io.penstock.http1;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.ConnectionState;
import io.penstock.exchange.Exchange;
import io.penstock.exchange.Peer;
import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import io.penstock.limits.Counter;
import io.penstock.limits.Listen.ConnectionsPolicy;
import io.penstock.reactor.RecordLink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests connections over two {@link io.penstock.reactor.Link links}. The lower link reads and writes a socket. The upper link uses the
 * lower link and works like TLS: it sends bytes in records, can buffer records, and answers pings (records that request a pong) itself.
 */
final class LinkOverLinkTest {
    private static final int LARGE = 8 << 20;
    private static final String GET = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final byte[] BYTES = bytes();

    @TempDir
    Path folder;

    private static byte[] bytes() {
        byte[] bytes = new byte[LARGE];
        new Random(16).nextBytes(bytes);
        return bytes;
    }

    private static WireConfig config() {
        return new WireConfig().overRecords();
    }

    private Site site() {
        return new Site()
                .on("/large", exchange -> {
                    exchange.response().head(new ResponseHead(200, Fields.EMPTY, LARGE));
                    exchange.response().write(ByteBuffer.wrap(BYTES), true);
                })
                .on("/file", exchange -> {
                    Path file = Files.write(folder.resolve("large"), BYTES);
                    exchange.response().head(new ResponseHead(200, Fields.EMPTY, LARGE));
                    exchange.response().write(FileChannel.open(file), 0, LARGE, true);
                })
                .on("/pieces", LinkOverLinkTest::pieces)
                .on("/streamed", LinkOverLinkTest::pieces)
                .on("/up", RawEcho.switching(RawEcho::new));
    }

    /** Writes many pieces, and flushes each piece. So the pings of a client arrive while the worker writes. */
    private static void pieces(Exchange exchange) throws IOException {
        int count = 2000;
        int length = 100;
        exchange.response().head(new ResponseHead(200, Fields.EMPTY, count * length));
        for (int i = 0; i < count; i++) {
            exchange.response().write(ByteBuffer.wrap(BYTES, i * length, length), i == count - 1);
            exchange.response().flush();
        }
    }

    private static byte[] latin(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    // ---- small messages

    @Test
    void requestsThatArriveInTwoPiecesAreAnswered() throws Exception {
        try (WireServer server = WireServer.echo(config())) {
            String request = "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc";
            Cuts.onOneConnection(
                    server,
                    request,
                    client -> assertEquals("POST /a\nabc", client.answer().body()));
        }
    }

    @Test
    void recordsThatArriveByteByByteAreRead() throws Exception {
        try (WireServer server = WireServer.echo(config());
                RawClient client = server.connect()) {
            client.records().trickle();
            for (int i = 0; i < 3; i++) {
                client.send(GET);
                assertEquals("GET /a\n", client.answer().body());
            }
        }
    }

    /**
     * The server has read all requests from the socket when it answers the first request. So the selector reports no further event, and the
     * server must read the other requests from the buffer of the upper link.
     */
    @Test
    void pipelinedRequestsThatArriveTogetherAreAnswered() throws Exception {
        try (WireServer server = WireServer.echo(config());
                RawClient client = server.connect()) {
            client.echoPipelined(300);
        }
    }

    @Test
    void idleConnectionsUseNoBuffers() throws Exception {
        try (WireServer server = WireServer.echo(config())) {
            List<RawClient> idle = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                RawClient client = server.connect().send(GET);
                assertEquals(200, client.answer().status());
                idle.add(client);
            }
            server.awaitNothingHeld();
            for (RawClient client : idle) {
                client.send(GET);
                assertEquals(200, client.answer().status());
                client.close();
            }
        }
    }

    // ---- large messages

    @Test
    void largeRequestBodiesAndResponseBodiesAreTransferredUnchanged() throws Exception {
        try (WireServer server = WireServer.with(config(), site());
                RawClient client = server.connect()) {
            for (String path : List.of("/a", "/stream")) {
                client.send("POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Length: " + LARGE + "\r\n\r\n");
                client.send(BYTES);
                byte[] begin = latin("POST " + path + "\n");
                byte[] body = latin(client.answer().body());
                assertArrayEquals(begin, Arrays.copyOf(body, begin.length));
                assertArrayEquals(BYTES, Arrays.copyOfRange(body, begin.length, body.length));
            }
        }
    }

    @Test
    void aClientThatSendsSlowlyDoesNotOccupyAWorker() throws Exception {
        try (WireServer server = WireServer.with(config().workers(1), site());
                RawClient client = server.connect();
                RawClient other = server.connect()) {
            client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: " + LARGE + "\r\n\r\n");
            for (int sent = 0; sent < LARGE; sent += LARGE / 16) {
                client.send(Arrays.copyOfRange(BYTES, sent, sent + LARGE / 16));
                other.send(GET);
                assertEquals(200, other.answer().status());
            }
            assertEquals(
                    "POST /a\n" + new String(BYTES, StandardCharsets.ISO_8859_1),
                    client.answer().body());
        }
    }

    @Test
    void clientsThatReadSlowlyDoNotOccupyAWorker() throws Exception {
        try (WireServer server = WireServer.with(config().workers(1).sendBuffer(4096), site());
                RawClient client = server.connectWithReceiveBuffer(4096);
                RawClient fromFile = server.connectWithReceiveBuffer(4096);
                RawClient other = server.connect()) {
            client.send("GET /large HTTP/1.1\r\nHost: x\r\n\r\n" + GET);
            fromFile.send("GET /file HTTP/1.1\r\nHost: x\r\n\r\n" + GET);
            server.awaitHeld();
            other.send(GET);
            assertEquals(200, other.answer().status());
            for (RawClient slow : List.of(fromFile, client)) {
                assertArrayEquals(BYTES, latin(slow.answer().body()));
                assertEquals("GET /a\n", slow.answer().body());
            }
        }
    }

    @Test
    void theWriteStallTimeoutClosesTheConnectionOfAClientThatDoesNotRead() throws Exception {
        try (WireServer server =
                        WireServer.with(config().timeByHand().writeStall(100).sendBuffer(4096), site());
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send("GET /file HTTP/1.1\r\nHost: x\r\n\r\n");
            server.awaitHeld();
            server.passUntilTimeout(Duration.ofMillis(120), "write-stall-timeout");
            assertEquals(1, server.counters.value(Counter.WRITE_STALLS));
            server.awaitNothingHeld();
        }
    }

    // ---- records that the upper link itself sends

    @Test
    void pingsAreAnsweredByTheUpperLinkWhileWorkersAndTheReactorWrite() throws Exception {
        try (WireServer server = WireServer.with(config().sendBuffer(4096), site());
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            StringBuffer pings = new StringBuffer();
            for (String path : List.of("/pieces", "/file", "/streamed", "/large")) {
                client.send("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n");
                FutureTask<Boolean> pinging = new FutureTask<>(() -> {
                    for (int i = 0; i < 300; i++) {
                        client.records().ping(path + i);
                        pings.append(path).append(i);
                    }
                    return true;
                });
                new Thread(pinging, "pinger").start();
                byte[] body = latin(client.answer().body());
                assertArrayEquals(Arrays.copyOf(BYTES, body.length), body);
                assertTrue(pinging.get(60, TimeUnit.SECONDS));
            }
            // The client sends this request after all pings. So all pongs must arrive before the response.
            client.send(GET);
            assertEquals("GET /a\n", client.answer().body());
            assertEquals(pings.toString(), client.records().pongs());
        }
    }

    // ---- the close of connections

    @Test
    void theUpperLinkSendsAnEndRecordAfterTheLastResponse() throws Exception {
        try (WireServer server = WireServer.with(config(), site())) {
            for (String path : List.of("/a", "/large", "/file")) {
                try (RawClient client = server.connect()) {
                    client.send("GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
                    assertEquals(200, client.answer().status());
                    assertEquals("", client.rest());
                    assertTrue(client.records().hasEnded());
                }
            }
        }
    }

    @Test
    void aClientThatReadsSlowlyGetsTheWholeResponseAndTheEndRecord() throws Exception {
        try (WireServer server = WireServer.with(config().sendBuffer(4096), site());
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send("GET /large HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            server.awaitHeld();
            assertArrayEquals(BYTES, latin(client.answer().body()));
            assertEquals("", client.rest());
            assertTrue(client.records().hasEnded());
        }
    }

    @Test
    void aHalfClosedClientGetsAllResponsesAndTheEndRecord() throws Exception {
        try (WireServer server = WireServer.with(config().sendBuffer(4096), site());
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send(GET + GET + "GET /file HTTP/1.1\r\nHost: x\r\n\r\n").halfClose();
            assertEquals("GET /a\n", client.answer().body());
            assertEquals("GET /a\n", client.answer().body());
            assertArrayEquals(BYTES, latin(client.answer().body()));
            assertEquals("", client.rest());
            assertTrue(client.records().hasEnded());
        }
    }

    /**
     * The server must read the bytes that the client still sends, before it closes the connection. Otherwise the client could lose the
     * response (RFC 9112 section 9.6).
     */
    @Test
    void aRefusedClientGetsTheResponseEvenIfItIsStillSending() throws Exception {
        try (WireServer server = WireServer.echo(config())) {
            for (int i = 0; i < 5; i++) {
                try (RawClient client = server.connect()) {
                    client.send("POST /limited HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000\r\n\r\n");
                    client.send(new byte[1 << 20]);
                    assertEquals(413, client.answer().status());
                    assertEquals("", client.rest());
                    assertTrue(client.records().hasEnded());
                }
            }
            server.events.awaitClosed(5);
        }
    }

    @Test
    void aConnectionThatExceedsTheLimitIsAnsweredWith503() throws Exception {
        try (WireServer server = WireServer.echo(config().maxConnections(1, ConnectionsPolicy.REFUSE));
                RawClient first = server.connect().send(GET)) {
            assertEquals(200, first.answer().status());
            try (RawClient second = server.connect()) {
                assertEquals(503, second.answer().status());
                assertTrue(second.isAtEnd());
                assertTrue(second.records().hasEnded());
            }
        }
    }

    @Test
    void anIdleConnectionIsReplacedByANewConnectionAtTheConnectionLimit() throws Exception {
        try (WireServer server = WireServer.echo(config().maxConnections(1, ConnectionsPolicy.REPLACE));
                RawClient first = server.connect().send(GET)) {
            assertEquals(200, first.answer().status());
            awaitIdle(server);
            try (RawClient second = server.connect().send(GET)) {
                assertEquals(200, second.answer().status());
                assertTrue(first.isAtEnd());
            }
        }
    }

    @Test
    void aStoppingServerCompletesRunningRequestsAndSendsTheEndRecord() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Site site = new Site().on("/slow", exchange -> {
            started.countDown();
            go.await();
            Site.text(exchange, "x".repeat(60_000));
        });
        WireServer server = WireServer.with(config().sendBuffer(4096), site);
        try (RawClient client = server.connectWithReceiveBuffer(4096);
                RawClient idle = server.connect().send(GET)) {
            assertEquals(200, idle.answer().status());
            client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n");
            started.await();
            FutureTask<Boolean> stopping = new FutureTask<>(() -> {
                server.close();
                return true;
            });
            new Thread(stopping, "stopper").start();
            assertEquals("", idle.rest());
            assertTrue(idle.records().hasEnded());
            go.countDown();
            assertEquals(60_000, client.answer().body().length());
            assertEquals("", client.rest());
            assertTrue(client.records().hasEnded());
            assertTrue(stopping.get(60, TimeUnit.SECONDS));
        }
    }

    // ---- connections that change to another protocol

    @Test
    void anUpgradedConnectionSendsAndReceivesAllBytesAndEnds() throws Exception {
        try (WireServer server = WireServer.with(config().sendBuffer(4096), site());
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send(RawEcho.REQUEST);
            assertEquals(101, client.answer().status());
            FutureTask<Boolean> sending = new FutureTask<>(() -> {
                client.send(BYTES);
                client.halfClose();
                return true;
            });
            new Thread(sending, "sender").start();
            assertArrayEquals(BYTES, client.exactly(LARGE));
            assertEquals("", client.rest());
            assertTrue(sending.get(60, TimeUnit.SECONDS));
            assertTrue(client.records().hasEnded());
        }
    }

    @Test
    void theExchangeReportsThatTheConnectionIsEncrypted() throws Exception {
        Site site = new Site().on("/peer", exchange -> {
            Peer peer = exchange.peer();
            assertEquals(RecordLink.SESSION, peer.tls());
            Site.text(exchange, peer.connectionId() + " " + peer.secure() + " " + peer.remotePort());
        });
        try (WireServer server = WireServer.with(config(), site);
                RawClient client = server.connect().send("GET /peer HTTP/1.1\r\nHost: x\r\n\r\n")) {
            assertEquals("c1 true " + client.port(), client.answer().body());
        }
    }

    @Test
    void theExchangeReportsThatAPlainSocketIsNotEncrypted() throws Exception {
        Site site = new Site()
                .on(
                        "/peer",
                        exchange -> Site.text(
                                exchange,
                                exchange.peer().secure() + " " + exchange.peer().tls()));
        try (WireServer server = WireServer.with(new WireConfig().overSockets(), site);
                RawClient client = server.connect().send("GET /peer HTTP/1.1\r\nHost: x\r\n\r\n")) {
            assertEquals("false null", client.answer().body());
        }
    }

    @Test
    void aConnectionOverTheUpperLinkIsListedAsIdle() throws Exception {
        try (WireServer server = WireServer.echo(config());
                RawClient client = server.connect().send(GET)) {
            assertEquals(200, client.answer().status());
            awaitIdle(server);
        }
    }

    /** Waits until the server lists one idle connection. A client can receive its response before its connection is listed as idle. */
    private static void awaitIdle(WireServer server) {
        await().until(() -> server.transport.census(0).counts().get(ConnectionState.IDLE) == 1);
    }
}

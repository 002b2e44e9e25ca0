package io.penstock.http1;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.Exchange;
import io.penstock.limits.Counter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A request body that is too large for memory is written to disk (the spool). A worker gets the request only after the body is complete.
 */
final class UploadToDiskTest {
    private static final int CAPACITY = 4096;
    private static final String CHUNKED = "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";

    private final AtomicInteger dispatched = new AtomicInteger();

    private Site site() {
        return new Site().on("/a", exchange -> {
            dispatched.incrementAndGet();
            Site.echo(exchange);
        });
    }

    private static WireConfig config() {
        return new WireConfig().workers(1).pipes(CAPACITY, 1024);
    }

    private static String head(int length) {
        return "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: " + length + "\r\n\r\n";
    }

    private static String body(int length) {
        StringBuilder body = new StringBuilder();
        for (int i = 0; body.length() < length; i++) {
            body.append(i).append(' ');
        }
        return body.substring(0, length);
    }

    private static void assertServesAnotherClient(WireServer server) throws IOException {
        try (RawClient client = server.connect()) {
            client.send("GET /other HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals("GET /other\n", client.answer().body());
        }
    }

    private static void awaitOnDisk(WireServer server, long bytes) {
        await().until(() -> server.transport.spool().used() >= bytes);
    }

    @Test
    void aWorkerGetsTheRequestOnlyAfterTheLastByteOfTheUpload() throws Exception {
        String body = body(100_000);
        try (WireServer server = WireServer.with(config(), site());
                RawClient client = server.connect()) {
            client.send(head(body.length()) + body.substring(0, 99_999));
            awaitOnDisk(server, 90_000);
            assertTrue(server.transport.pool().inUse() <= 3 * CAPACITY, "the upload uses too much memory");
            assertServesAnotherClient(server);
            assertEquals(0, dispatched.get());
            client.send(body.substring(99_999) + "GET /next HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals("POST /a\n" + body, client.answer().body());
            assertEquals("GET /next\n", client.answer().body());
            server.awaitNothingHeld();
        }
    }

    /**
     * The application reads a single byte, so the server reads a whole buffer from the disk. A suspended exchange must release this
     * buffer.
     */
    @Test
    void aSuspendedExchangeReleasesItsReadBuffer() throws Exception {
        String body = body(100_000);
        AtomicReference<Exchange> suspendedExchange = new AtomicReference<>();
        Site site = new Site().on("/a", exchange -> {
            byte[] first = new byte[1];
            assertEquals(1, exchange.body().read(first, 0, 1));
            suspendedExchange.set(exchange);
        });
        try (WireServer server = WireServer.with(config(), site);
                RawClient client = server.connect()) {
            client.send(head(body.length()) + body);
            await().until(() -> suspendedExchange.get() != null);
            await().until(() -> server.transport.pool().inUse() == 0);
            Exchange exchange = suspendedExchange.get();
            exchange.resume(() -> echoRest(exchange));
            assertEquals("POST /a\n" + body.substring(1), client.answer().body());
            server.awaitNothingHeld();
        }
    }

    private static void echoRest(Exchange exchange) {
        try {
            Site.echo(exchange);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void trailersOfAnUploadOnDiskAreRead() throws Exception {
        Site site = new Site().on("/a", exchange -> {
            byte[] read = Site.readAll(exchange);
            Site.text(exchange, read.length + " " + exchange.body().trailers().first("X-End"));
        });
        try (WireServer server = WireServer.with(config(), site);
                RawClient client = server.connect()) {
            client.send(CHUNKED + "4e20\r\n" + body(20_000) + "\r\n0\r\nX-End: here\r\n\r\n");
            assertEquals("20000 here", client.answer().body());
        }
    }

    @Test
    void aHalfClosedClientGetsTheResponseToItsUpload() throws Exception {
        String body = body(100_000);
        try (WireServer server = WireServer.with(config(), site());
                RawClient client = server.connect()) {
            client.send(head(body.length()) + body).halfClose();
            assertEquals("POST /a\n" + body, client.answer().body());
            assertTrue(client.isAtEnd());
        }
    }

    @Test
    void anUploadThatEndsEarlyIsRefusedAndReleased() throws Exception {
        try (WireServer server = WireServer.with(config(), site());
                RawClient client = server.connect()) {
            client.send(head(100_000) + body(50_000)).halfClose();
            assertEquals(400, client.answer().status());
            server.awaitNothingHeld();
            assertEquals(0, dispatched.get());
        }
    }

    @Test
    void aResetByTheClientReleasesTheUpload() throws Exception {
        try (WireServer server = WireServer.with(config(), site())) {
            RawClient client = server.connect();
            client.send(head(100_000) + body(50_000));
            awaitOnDisk(server, 40_000);
            client.reset();
            server.awaitNothingHeld();
        }
    }

    @Test
    void aStalledUploadIsRefusedAndReleased() throws Exception {
        try (WireServer server = WireServer.with(config().timeByHand().bodyStall(200), site());
                RawClient client = server.connect()) {
            client.send(head(100_000) + body(50_000));
            server.passUntilTimeout(Duration.ofMillis(220), "body-stall-timeout");
            assertEquals(408, client.answer().status());
            server.awaitNothingHeld();
        }
    }

    @Test
    void aDeclaredLengthBeyondTheSpoolLimitIsRefusedBeforeTheBodyArrives() throws Exception {
        try (WireServer server = WireServer.with(config().spoolLimit(50_000), site());
                RawClient client = server.connect()) {
            client.send(head(50_001));
            assertEquals(413, client.answer().status());
        }
    }

    @Test
    void theClientGetsTheRefusalOfAChunkedBodyBeyondTheSpoolLimit() throws Exception {
        try (WireServer server = WireServer.with(config().spoolLimit(50_000), site());
                RawClient client = server.connect()) {
            client.send(CHUNKED + "f4240\r\n" + body(1_000_000));
            assertEquals(413, client.answer().status());
            assertEquals("", client.rest());
            server.awaitNothingHeld();
        }
    }

    @Test
    void anUploadIsAnsweredWithStatus503WhenTheSpoolIsFull() throws Exception {
        try (WireServer server = WireServer.with(config().spoolLimit(50_000), site());
                RawClient first = server.connect();
                RawClient second = server.connect()) {
            first.send(head(45_000) + body(44_000));
            awaitOnDisk(server, 40_000);
            second.send(head(45_000) + body(20_000));
            assertEquals(503, second.answer().status());
            assertEquals(1, server.counters.value(Counter.SPOOL_FULL));
            await().until(() -> server.transport.spool().files() == 1);
            first.send(body(45_000).substring(44_000));
            assertEquals("POST /a\n" + body(45_000), first.answer().body());
            server.awaitNothingHeld();
        }
    }

    @Test
    void anUploadIsAnsweredWithStatus503ButSmallRequestsAreServedIfTheDiskFails(@TempDir Path folder) throws Exception {
        Path spool = Files.createDirectory(folder.resolve("spool"));
        try (WireServer server = WireServer.with(config().spoolDirectory(spool), site());
                RawClient client = server.connect()) {
            try (Stream<Path> remaining = Files.list(spool)) {
                for (Path path : remaining.toList()) {
                    Files.delete(path);
                }
            }
            Files.delete(spool);
            client.send(head(100_000) + body(50_000));
            assertEquals(503, client.answer().status());
            assertEquals(1, server.counters.value(Counter.SPOOL_FAILURES));
            assertServesAnotherClient(server);
            Files.createDirectory(spool);
        }
    }

    /**
     * Only one write to disk can run or wait at a time. During this write, the server does not read the other bodies. The server must read
     * these bodies later.
     */
    @Test
    void allUploadsBecomeCompleteEvenIfTheDiskIsBusy() throws Exception {
        String body = body(60_000);
        try (WireServer server = WireServer.with(config().spoolQueue(1), site())) {
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                clients.add(server.connect().send(head(body.length())));
            }
            for (int at = 0; at < body.length(); at += 20_000) {
                for (RawClient client : clients) {
                    client.send(body.substring(at, at + 20_000));
                }
            }
            for (RawClient client : clients) {
                assertEquals("POST /a\n" + body, client.answer().body());
                client.close();
            }
            server.awaitNothingHeld();
        }
    }

    /**
     * The unfinished bodies together are larger than the memory for bodies. The server must write some of them to disk, because no body
     * becomes complete if each body waits for another body.
     */
    @Test
    void unfinishedBodiesBeyondTheMemoryBudgetAreWrittenToDiskAndBecomeComplete() throws Exception {
        String body = body(3000); // fits into the memory of one body
        try (WireServer server = WireServer.with(config().queue(200).budget(64 * 1024), site())) {
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                clients.add(server.connect().send(head(body.length())));
            }
            server.settle(); // waits until the server has read the heads
            for (RawClient client : clients) {
                client.send(body.substring(0, 2900));
            }
            await().until(() -> server.counters.value(Counter.PIPES_SPILLED) > 0);
            assertServesAnotherClient(server);
            assertTrue(server.transport.pool().inUse() <= 64 * 1024);
            for (RawClient client : clients) {
                client.send(body.substring(2900));
            }
            for (RawClient client : clients) {
                assertEquals("POST /a\n" + body, client.answer().body());
                client.close();
            }
            assertEquals(0, server.counters.value(Counter.PIPE_BUDGET_EXCEEDED), "the number of refused requests");
            server.awaitNothingHeld();
        }
    }

    @Test
    void someUploadsAreRefusedWhenMemoryAndDiskAreFull() throws Exception {
        try (WireServer server = WireServer.with(config().budget(64 * 1024).spoolLimit(20_000), site())) {
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                clients.add(server.connect().send(head(3000) + body(2900)));
            }
            await().until(() -> server.counters.value(Counter.SPOOL_FULL) > 0);
            assertServesAnotherClient(server);
            for (RawClient client : clients) {
                client.send(body(3000).substring(2900));
                int status = client.answer().status();
                assertTrue(status == 200 || status == 503, "status of the response: " + status);
                client.close();
            }
            server.awaitNothingHeld();
            try (RawClient later = server.connect().send(head(3000) + body(3000))) {
                assertEquals("POST /a\n" + body(3000), later.answer().body(), "the response to a later upload");
            }
            server.awaitNothingHeld();
        }
    }
}

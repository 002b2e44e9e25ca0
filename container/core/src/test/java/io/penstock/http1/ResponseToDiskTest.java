package io.penstock.http1;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.Exchange;
import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import io.penstock.limits.Counter;
import io.penstock.pipe.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** If a client reads slowly, the server writes the response to disk, and the worker serves other requests. */
final class ResponseToDiskTest {
    private static final int SIZE = 1_000_000;
    private static final String GET = "GET /large HTTP/1.1\r\nHost: x\r\n\r\n";

    private static final byte[] CONTENT = content();

    private static byte[] content() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; text.length() < SIZE; i++) {
            text.append(i).append(' ');
        }
        return text.substring(0, SIZE).getBytes(StandardCharsets.US_ASCII);
    }

    private static String text() {
        return new String(CONTENT, StandardCharsets.US_ASCII);
    }

    private static WireConfig config() {
        // On a busy machine, the one worker can need long for each response. No request may be refused for this.
        return new WireConfig().workers(1).sendBuffer(4096).queueAge(600_000).overloadAfter(600_000);
    }

    private static void sendHead(Exchange exchange, long length) {
        exchange.response().head(new ResponseHead(200, Fields.EMPTY, length));
    }

    private static void writeInBuffers(Exchange exchange, int size) throws IOException {
        for (int at = 0; at < SIZE; at += size) {
            int count = Math.min(size, SIZE - at);
            exchange.response().write(ByteBuffer.wrap(CONTENT, at, count), at + count == SIZE);
        }
    }

    private static void writeInSegments(Exchange exchange, int size) throws IOException {
        for (int at = 0; at < SIZE; at += size) {
            int count = Math.min(size, SIZE - at);
            Segment segment = exchange.response().segment();
            segment.buffer().put(CONTENT, at, count).flip();
            exchange.response().write(segment, at + count == SIZE);
        }
    }

    private static void assertServesAnotherClient(WireServer server) throws IOException {
        try (RawClient client = server.connect()) {
            client.send("GET /other HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals("GET /other\n", client.answer().body());
        }
    }

    private interface BodyWriter {
        void run(Exchange exchange) throws IOException;
    }

    /**
     * Ten clients do not read, and the server has only one worker. The worker must serve another client. The ten clients must get their
     * whole responses when they read.
     */
    private static void assertWorkerIsFree(long length, BodyWriter writer) throws Exception {
        Site site = new Site().on("/large", exchange -> {
            sendHead(exchange, length);
            writer.run(exchange);
        });
        try (WireServer server = WireServer.with(config(), site)) {
            List<RawClient> slow = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                slow.add(server.connectWithReceiveBuffer(4096).send(GET + "GET /next HTTP/1.1\r\nHost: x\r\n\r\n"));
            }
            await().until(() -> server.transport.spool().files() >= 10);
            assertServesAnotherClient(server);
            for (RawClient client : slow) {
                assertEquals(text(), client.answer().body());
                assertEquals("GET /next\n", client.answer().body());
                client.close();
            }
            server.awaitNothingHeld();
        }
    }

    @Test
    void aResponseInOneBufferWithDeclaredLengthIsWrittenToDisk() throws Exception {
        assertWorkerIsFree(SIZE, exchange -> writeInBuffers(exchange, SIZE));
    }

    @Test
    void buffersOfAChunkedResponseAreWrittenToDisk() throws Exception {
        assertWorkerIsFree(-1, exchange -> writeInBuffers(exchange, 10_000));
    }

    @Test
    void segmentsOfAChunkedResponseAreWrittenToDisk() throws Exception {
        assertWorkerIsFree(-1, exchange -> writeInSegments(exchange, 8192));
    }

    @Test
    void smallSegmentsOfAResponseWithDeclaredLengthAreWrittenToDisk() throws Exception {
        assertWorkerIsFree(SIZE, exchange -> writeInSegments(exchange, 100));
    }

    @Test
    void alternatingSegmentsAndBuffersWithFlushesAreWrittenToDisk() throws Exception {
        assertWorkerIsFree(-1, exchange -> {
            for (int at = 0; at < SIZE; at += 1000) {
                if (at % 3000 == 0) {
                    Segment segment = exchange.response().segment();
                    segment.buffer().put(CONTENT, at, 1000).flip();
                    exchange.response().write(segment, false);
                } else {
                    exchange.response().write(ByteBuffer.wrap(CONTENT, at, 1000), false);
                }
                if (at % 7000 == 0) {
                    exchange.response().flush();
                }
            }
            exchange.response().finish(Fields.EMPTY);
        });
    }

    @Test
    void aFileIsSentAfterBytesThatWereWrittenToDisk(@TempDir Path folder) throws Exception {
        Path half = Files.write(folder.resolve("half"), java.util.Arrays.copyOfRange(CONTENT, SIZE / 2, SIZE));
        assertWorkerIsFree(SIZE, exchange -> {
            exchange.response().write(ByteBuffer.wrap(CONTENT, 0, SIZE / 2), false);
            exchange.response().write(FileChannel.open(half), 0, SIZE - SIZE / 2, true);
        });
    }

    @Test
    void aSmallResponseIsWrittenToDiskWhenMemoryIsFull() throws Exception {
        Site site = new Site().on("/large", exchange -> {
            sendHead(exchange, 60_000);
            exchange.response().write(ByteBuffer.wrap(CONTENT, 0, 60_000), true);
        });
        WireConfig config = config().overSockets().pipes(64 * 1024, 1024).budget(256 * 1024);
        try (WireServer server = WireServer.with(config, site)) {
            List<RawClient> slow = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                slow.add(server.connectWithReceiveBuffer(4096).send(GET));
            }
            await().until(() -> server.counters.value(Counter.SPOOL_FILES) > 0);
            assertServesAnotherClient(server);
            assertTrue(server.transport.pool().inUse() <= 256 * 1024);
            for (RawClient client : slow) {
                assertEquals(text().substring(0, 60_000), client.answer().body());
                client.close();
            }
        }
    }

    /**
     * The response is hundreds of times larger than its buffer in memory. On a busy machine, even a fast client may sometimes read too
     * slowly, so the test can send the request several times.
     */
    @Test
    void aLargeResponseToAFastClientIsNotWrittenToDisk() throws Exception {
        long size = 16L << 20;
        Site site = new Site().on("/huge", exchange -> {
            sendHead(exchange, size);
            byte[] piece = new byte[1 << 20];
            for (long at = 0; at < size; at += piece.length) {
                exchange.response().write(ByteBuffer.wrap(piece), at + piece.length == size);
            }
        });
        try (WireServer server = WireServer.with(new WireConfig().workers(1), site);
                RawClient client = server.connect()) {
            long files = 1;
            for (int i = 0; i < 20 && files > 0; i++) {
                long before = server.counters.value(Counter.SPOOL_FILES);
                client.send("GET /huge HTTP/1.1\r\nHost: x\r\n\r\n");
                client.skipAnswer(size);
                files = server.counters.value(Counter.SPOOL_FILES) - before;
            }
            assertEquals(0, files);
        }
    }

    @Test
    void aResetByTheClientReleasesAllResources() throws Exception {
        Site site = new Site().on("/large", exchange -> {
            sendHead(exchange, SIZE);
            writeInBuffers(exchange, 10_000);
        });
        try (WireServer server = WireServer.with(config(), site)) {
            RawClient client = server.connectWithReceiveBuffer(4096).send(GET);
            await().until(() -> server.transport.spool().used() > 0);
            client.reset();
            server.awaitNothingHeld();
        }
    }

    @Test
    void theWorkerWaitsForTheClientWhenTheDiskLimitIsReached() throws Exception {
        CountDownLatch returned = new CountDownLatch(1);
        Site site = new Site().on("/large", exchange -> {
            sendHead(exchange, SIZE);
            writeInBuffers(exchange, 10_000);
            returned.countDown();
        });
        try (WireServer server = WireServer.with(config().workers(2).responseSpoolLimit(200_000), site);
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send(GET);
            await().until(() -> server.counters.value(Counter.RESPONSE_SPOOL_EXCEEDED) > 0);
            assertTrue(server.transport.spool().used() <= 200_000);
            assertEquals(1, returned.getCount());
            assertServesAnotherClient(server);
            assertEquals(text(), client.answer().body());
            assertTrue(returned.await(60, TimeUnit.SECONDS));
        }
    }

    @Test
    void aResponseIsAbortedWhenTooManyWorkersWaitForClients() throws Exception {
        Site site = new Site().on("/large", exchange -> {
            sendHead(exchange, SIZE);
            writeInBuffers(exchange, 10_000);
        });
        // The server has two workers, and only one worker may wait for clients.
        try (WireServer server = WireServer.with(
                        config().responseSpoolLimit(0).workers(2).maxStreaming(1), site);
                RawClient first = server.connectWithReceiveBuffer(4096);
                RawClient second = server.connectWithReceiveBuffer(4096)) {
            first.send(GET);
            await().until(() -> server.counters.value(Counter.RESPONSE_SPOOL_EXCEEDED) > 0);
            second.send(GET);
            await().until(() -> server.counters.value(Counter.RESPONSES_CUT) > 0);
            assertServesAnotherClient(server);
            assertThrows(IOException.class, second::answer);
            assertEquals(text(), first.answer().body());
        }
    }
}

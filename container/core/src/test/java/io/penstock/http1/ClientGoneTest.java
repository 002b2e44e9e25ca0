package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.exchange.Exchange;
import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import io.penstock.pipe.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a client disconnects, every wait for this client must end, and the server must release all resources of the client. */
final class ClientGoneTest {
    private final BlockingQueue<IOException> seen = new LinkedBlockingQueue<>();
    private final CountDownLatch started = new CountDownLatch(1);

    private interface Step {
        void run() throws IOException;
    }

    private void repeatUntilIOException(Step part) {
        IOException thrown = assertThrows(IOException.class, () -> {
            while (true) {
                part.run();
            }
        });
        seen.add(thrown);
    }

    private void assertWorkerIsFreed(WireServer server) throws Exception {
        assertNotNull(seen.poll(60, TimeUnit.SECONDS), "the worker still waits for the client");
        try (RawClient other = server.connect()) {
            other.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals("GET /a\n", other.answer().body());
        }
        server.awaitNothingHeld();
    }

    private void assertResetEndsTheResponse(String path, Site site) throws Exception {
        try (WireServer server = WireServer.with(new WireConfig().workers(1).sendBuffer(4096), site)) {
            RawClient client = server.connectWithReceiveBuffer(4096);
            client.send("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n");
            server.awaitHeld();
            client.reset();
            assertWorkerIsFreed(server);
        }
    }

    @Test
    void aResetEndsAWriteFromABuffer() throws Exception {
        assertResetEndsTheResponse("/buffers", new Site().on("/buffers", exchange -> {
                    exchange.response().head(new ResponseHead(200, Fields.EMPTY, 1L << 40));
                    repeatUntilIOException(() -> exchange.response().write(ByteBuffer.wrap(new byte[10_000]), false));
                }));
    }

    @Test
    void aResetEndsAChunkedWriteAndAllSegmentsAreReleased() throws Exception {
        assertResetEndsTheResponse("/segments", new Site().on("/segments", exchange -> {
                    exchange.response().head(new ResponseHead(200, Fields.EMPTY, -1));
                    repeatUntilIOException(() -> writeSegment(exchange));
                    for (int i = 0; i < 3; i++) {
                        assertThrows(IOException.class, () -> writeSegment(exchange));
                    }
                }));
    }

    private static void writeSegment(Exchange exchange) throws IOException {
        Segment segment = exchange.response().segment();
        segment.buffer().position(10_000).flip();
        exchange.response().write(segment, false);
    }

    @Test
    void aResetEndsALoopOfFlushedWrites() throws Exception {
        Site site = new Site().on("/late", exchange -> {
            started.countDown();
            exchange.response().head(new ResponseHead(200, Fields.EMPTY, -1));
            repeatUntilIOException(() -> {
                writeSegment(exchange);
                exchange.response().flush();
            });
        });
        try (WireServer server = WireServer.with(new WireConfig().workers(1), site)) {
            RawClient client = server.connect();
            client.send("GET /late HTTP/1.1\r\nHost: x\r\n\r\n");
            started.await();
            client.reset();
            assertWorkerIsFreed(server);
        }
    }

    @Test
    void aResetEndsAReadOfAStreamedBody() throws Exception {
        Site site = new Site().on("/stream", exchange -> {
            started.countDown();
            repeatUntilIOException(() -> exchange.body().read(new byte[100], 0, 100));
            // The read fails before the response does, so the handler must still end the exchange.
            exchange.response().abort(new IOException("the read has failed"));
        });
        try (WireServer server = WireServer.with(new WireConfig().workers(1), site)) {
            RawClient client = server.connect();
            client.send("POST /stream HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhello");
            started.await();
            client.reset();
            assertWorkerIsFreed(server);
        }
    }

    @Test
    void aResetAtAnyByteOfARequestReleasesTheResourcesOfTheRequest() throws Exception {
        try (WireServer server = WireServer.echo()) {
            String first = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";
            String second = "POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhello";
            for (int cut = 0; cut <= second.length(); cut++) {
                RawClient client = server.connect();
                client.send(first + second.substring(0, cut));
                assertEquals(200, client.answer().status());
                server.settle();
                client.reset();
            }
            server.awaitNothingHeld();
            assertEquals(List.of(), server.events.failed());
            server.awaitNothingHeld();
        }
    }

    @Test
    void aResetReleasesTheResourcesOfWaitingPipelinedRequests() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        Site site = new Site().on("/slow", exchange -> {
            started.countDown();
            go.await();
            Site.text(exchange, "slow");
        });
        try (WireServer server = WireServer.with(new WireConfig(), site)) {
            RawClient client = server.connect();
            client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n"
                    + "POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello"
                    + "POST /c HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello");
            started.await();
            server.settle();
            client.reset();
            go.countDown();
            server.events.awaitClosed(3); // the client's connection, and two connections of settle()
            server.awaitNothingHeld();
        }
    }

    @Test
    void aResetDuringTheTransferOfAFileClosesTheFile(@TempDir Path folder) throws Exception {
        Path path = Files.write(folder.resolve("large"), new byte[8_000_000]);
        FileChannel file = FileChannel.open(path, StandardOpenOption.READ);
        Site site = new Site().on("/file", exchange -> {
            exchange.response().head(new ResponseHead(200, Fields.EMPTY, 8_000_000));
            exchange.response().write(file, 0, 8_000_000, true);
            started.countDown();
        });
        try (WireServer server = WireServer.with(new WireConfig().workers(1).sendBuffer(4096), site)) {
            RawClient client = server.connectWithReceiveBuffer(4096);
            client.send("GET /file HTTP/1.1\r\nHost: x\r\n\r\n");
            started.await();
            assertEquals(true, file.isOpen());
            client.reset();
            server.events.awaitClosed(1);
            assertEquals(false, file.isOpen());
            try (RawClient other = server.connect()) {
                other.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
                assertEquals("GET /a\n", other.answer().body());
            }
        }
    }

    @Test
    void noWorkerIsOccupiedWhileAFileIsSentToASlowClient(@TempDir Path folder) throws Exception {
        byte[] content = new byte[3_000_000];
        new java.util.Random(1).nextBytes(content);
        Path path = Files.write(folder.resolve("large"), content);
        Site site = new Site().on("/file", exchange -> {
            exchange.response().head(new ResponseHead(200, Fields.EMPTY, -1));
            FileChannel file = FileChannel.open(path, StandardOpenOption.READ);
            exchange.response().write(file, 1000, 2_000_000, false);
            exchange.response().finish(Fields.EMPTY);
            started.countDown();
        });
        try (WireServer server = WireServer.with(new WireConfig().workers(1).sendBuffer(4096), site);
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send("GET /file HTTP/1.1\r\nHost: x\r\n\r\n");
            started.await();
            try (RawClient other = server.connect()) {
                other.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
                assertEquals("GET /a\n", other.answer().body());
            }
            assertEquals(
                    new String(content, 1000, 2_000_000, java.nio.charset.StandardCharsets.ISO_8859_1),
                    client.answer().body());
        }
    }
}

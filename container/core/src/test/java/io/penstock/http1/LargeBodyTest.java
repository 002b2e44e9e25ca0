package io.penstock.http1;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * Tests request bodies that are larger than their pipes (the buffers between client and worker). Usually, the body is complete before a
 * worker gets the request. In a streaming request, the handler reads the body while the body arrives. If the handler reads slowly, back
 * pressure stops the client.
 */
final class LargeBodyTest {
    private static final int SIZE = 20_000_000;

    private static byte[] large() {
        byte[] bytes = new byte[SIZE];
        new Random(1).nextBytes(bytes);
        return bytes;
    }

    private static Thread sender(RawClient client, byte[] bytes, AtomicLong sent) {
        Thread sender = new Thread(() -> {
            try {
                for (int at = 0; at < bytes.length; at += 10_000) {
                    client.send(java.util.Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + 10_000)));
                    sent.addAndGet(10_000);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        sender.start();
        return sender;
    }

    @Test
    void aHandlerThatReadsLateCausesBackPressureAndGetsTheWholeBody() throws Exception {
        CountDownLatch dispatched = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        AtomicReference<byte[]> read = new AtomicReference<>();
        Site site = new Site().on("/stream/upload", exchange -> {
            dispatched.countDown();
            go.await();
            read.set(Site.readAll(exchange));
            Site.text(exchange, "done");
        });
        byte[] bytes = large();
        AtomicLong sent = new AtomicLong();
        try (WireServer server = WireServer.with(new WireConfig().receiveBuffer(16_384), site);
                RawClient client = server.connect()) {
            client.send("POST /stream/upload HTTP/1.1\r\nHost: x\r\nContent-Length: " + SIZE + "\r\n\r\n");
            Thread sender = sender(client, bytes, sent);
            dispatched.await();
            awaitNoProgress(sent);
            assertTrue(sent.get() < SIZE - 5_000_000, "bytes that the client could send: " + sent);
            assertTrue(server.transport.pool().inUse() <= 6 * 16_384, "the body uses too much memory");
            go.countDown();
            Answer answer = client.answer();
            sender.join();
            assertEquals("done", answer.body());
            assertArrayEquals(bytes, read.get());
            client.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals("GET /a\n", client.answer().body());
            server.awaitNothingHeld();
        }
    }

    /**
     * The server receives only a limited number of large bodies at the same time. Here, more clients than this limit stop before the last
     * byte of their bodies. These clients must not count toward the limit.
     */
    @Test
    void clientsThatStopInTheMiddleOfABodyDoNotBlockOtherUploads() throws Exception {
        Site site = new Site().on("/upload", exchange -> Site.text(exchange, "" + Site.readAll(exchange).length));
        byte[] body = new byte[1_000_000];
        String head = "POST /upload HTTP/1.1\r\nHost: x\r\nContent-Length: " + (body.length + 1) + "\r\n\r\n";
        List<RawClient> incomplete = new ArrayList<>();
        try (WireServer server = WireServer.with(new WireConfig(), site)) {
            for (int i = 0; i < 10; i++) {
                incomplete.add(server.connect().send(head).send(body));
            }
            try (RawClient whole = server.connect()) {
                whole.send(head).send(body).send("x");
                assertEquals("1000001", whole.answer().body());
            }
            for (RawClient client : incomplete) {
                client.send("x");
                assertEquals("1000001", client.answer().body());
                client.close();
            }
            server.awaitNothingHeld();
        }
    }

    @Test
    void aLargeChunkedBodyArrivesCompletely() throws Exception {
        AtomicReference<byte[]> read = new AtomicReference<>();
        Site site = new Site().on("/upload", exchange -> {
            read.set(Site.readAll(exchange));
            Site.text(exchange, "done");
        });
        StringBuilder message =
                new StringBuilder("POST /upload HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
        StringBuilder body = new StringBuilder();
        Random random = new Random(3);
        for (int i = 0; i < 2000; i++) {
            String chunk = ("" + (char) ('a' + i % 26)).repeat(1 + random.nextInt(2000));
            body.append(chunk);
            message.append(Integer.toHexString(chunk.length()))
                    .append("\r\n")
                    .append(chunk)
                    .append("\r\n");
        }
        message.append("0\r\n\r\nGET /next HTTP/1.1\r\nHost: x\r\n\r\n");
        try (WireServer server = WireServer.with(new WireConfig().pipes(4096, 1024), site);
                RawClient client = server.connect()) {
            Thread sender = sender(client, message.toString().getBytes(StandardCharsets.US_ASCII), new AtomicLong());
            assertEquals("done", client.answer().body());
            assertEquals("GET /next\n", client.answer().body());
            sender.join();
            assertEquals(body.toString(), new String(read.get(), StandardCharsets.US_ASCII));
        }
    }

    /** Returns the offsets at which a test cuts the message: near the ends of the head, of a segment, of the pipe and of the body. */
    private static int[] cuts(int head, int end) {
        return new int[] {
            0,
            1,
            head - 1,
            head,
            head + 1,
            head + 1023,
            head + 1024,
            head + 1025,
            head + 4095,
            head + 4096,
            head + 4097,
            head + 5120,
            head + 8192,
            end - 1,
            end,
            end + 1
        };
    }

    @Test
    void aLargeBodyArrivesCompletelyEvenIfTheInputIsSplit() throws Exception {
        StringBuilder body = new StringBuilder();
        for (int i = 0; body.length() < 20_000; i++) {
            body.append(i).append(' ');
        }
        String next = "GET /next HTTP/1.1\r\nHost: x\r\n\r\n";
        String sized = "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: " + body.length() + "\r\n\r\n";
        String chunked = "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                + Integer.toHexString(body.length()) + "\r\n";
        try (WireServer server = WireServer.echo(new WireConfig().pipes(4096, 1024))) {
            Cuts.Reader reader = client -> {
                assertEquals("POST /a\n" + body, client.answer().body());
                assertEquals("GET /next\n", client.answer().body());
            };
            int[] sizedCuts = cuts(sized.length(), sized.length() + body.length());
            Cuts.onNewConnections(server, sized + body + next, sizedCuts, reader);
            int[] chunkedCuts = cuts(chunked.length(), chunked.length() + body.length());
            Cuts.onNewConnections(server, chunked + body + "\r\n0\r\n\r\n" + next, chunkedCuts, reader);
            server.awaitNothingHeld();
        }
    }

    @Test
    void aClientGetsTheResponseEvenIfItIsStillSendingItsBody() throws Exception {
        Site site = new Site().on("/stream/upload", exchange -> Site.text(exchange, "enough"));
        byte[] bytes = new byte[1_000_000];
        String head = "POST /stream/upload HTTP/1.1\r\nHost: x\r\nContent-Length: " + SIZE + "\r\n\r\n";
        String message = head + "x".repeat(10_000);
        try (WireServer server = WireServer.with(new WireConfig().pipes(4096, 1024), site)) {
            Cuts.onNewConnections(server, message, cuts(head.length(), message.length() - 2), client -> {
                client.send(bytes);
                Answer answer = client.answer();
                assertEquals("close", answer.field("Connection"));
                assertEquals("enough", answer.body());
                assertEquals("", client.rest());
            });
        }
    }

    @Test
    void theHandlerReadsAStreamedBodyWhileTheBodyArrives() throws Exception {
        Site site = new Site().on("/stream", exchange -> {
            byte[] one = new byte[1];
            exchange.response().head(new io.penstock.http.ResponseHead(200, io.penstock.http.Fields.EMPTY, -1));
            while (exchange.body().read(one, 0, 1) > 0) {
                exchange.response().write(java.nio.ByteBuffer.wrap(one), false);
                exchange.response().flush();
            }
            exchange.response().finish(io.penstock.http.Fields.EMPTY);
        });
        try (WireServer server = WireServer.with(new WireConfig(), site);
                RawClient client = server.connect()) {
            client.send("POST /stream HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
            for (int i = 0; i < 10; i++) {
                client.send("1\r\n" + i + "\r\n");
                String line = client.line(); // a line of the response head, or the line end after a chunk
                while (!line.equals("1")) {
                    line = client.line();
                }
                assertEquals(i, client.exactly(1)[0] - '0');
            }
            client.send("0\r\n\r\n");
            assertEquals("0\r\n\r\n", client.rest().replaceFirst("^\r\n", ""));
            String message = "POST /stream HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "1\r\na\r\n3\r\nbcd\r\n0\r\n\r\n";
            Cuts.onNewConnections(
                    server, message, one -> assertEquals("abcd", one.answer().body()));
        }
    }

    private static void awaitNoProgress(AtomicLong sent) {
        long[] last = {-1};
        await().pollInterval(Duration.ofMillis(300)).until(() -> {
            boolean same = sent.get() == last[0];
            last[0] = sent.get();
            return same;
        });
    }
}

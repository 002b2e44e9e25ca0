package io.penstock.http1;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.Exchange;
import io.penstock.limits.Counter;
import io.penstock.spool.SimulatedDisk;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The disk becomes full in the middle of a write. Clients must not receive wrong bytes, and the server must release all resources. */
final class FullDiskTest {
    // This response is larger than the socket buffers, but fits into the buffer between worker and client (pipe).
    private static final String FIRST = numbers(60_000);
    private static final String LARGE = numbers(1_000_000);
    private static final String GET_BOTH =
            "GET /first HTTP/1.1\r\nHost: x\r\n\r\n" + "GET /large HTTP/1.1\r\nHost: x\r\n\r\n";

    private final SimulatedDisk disk = new SimulatedDisk();
    private final BlockingQueue<Exchange> large = new LinkedBlockingQueue<>();
    private final Site site = new Site()
            .on("/first", exchange -> Site.text(exchange, FIRST))
            .on("/large", exchange -> {
                large.add(exchange);
                Site.text(exchange, LARGE);
            });

    private static String numbers(int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; text.length() < length; i++) {
            text.append(i).append(' ');
        }
        return text.substring(0, length);
    }

    private WireServer server(WireConfig config) throws IOException {
        return new WireServer(config, site, disk);
    }

    private static WireConfig slowReaders() {
        return new WireConfig().workers(1).sendBuffer(4096);
    }

    private static void awaitCounted(WireServer server, Counter counter) {
        await().until(() -> server.counters.value(counter) > 0);
    }

    @Test
    void responsesContinueInMemoryAfterAFailedDiskWrite() throws Exception {
        // The disk does not have enough room for the unsent part of the first response.
        disk.room(10_000);
        try (WireServer server = server(slowReaders());
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send(GET_BOTH);
            awaitCounted(server, Counter.SPOOL_FAILURES);
            awaitCounted(server, Counter.RESPONSE_SPOOL_EXCEEDED);
            assertEquals(FIRST, client.answer().body());
            assertEquals(LARGE, client.answer().body());
            server.awaitNothingHeld();
            assertEquals(List.of(), server.events.failed());
        }
    }

    @Test
    void aResponseArrivesCompletelyEvenIfOnlyPartOfItFitsOnDisk() throws Exception {
        disk.room(300_000);
        try (WireServer server = server(slowReaders());
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send(GET_BOTH);
            awaitCounted(server, Counter.SPOOL_FAILURES);
            assertEquals(FIRST, client.answer().body());
            assertEquals(LARGE, client.answer().body());
            server.awaitNothingHeld();
            assertEquals(List.of(), server.events.failed());
        }
    }

    @Test
    void anAbortDuringADiskWriteDoesNotTruncateTheEarlierResponse() throws Exception {
        CountDownLatch writes = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        disk.beforeWrite(() -> {
            writes.countDown();
            await().until(() -> go.getCount() == 0);
        });
        try (WireServer server = server(slowReaders());
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send(GET_BOTH);
            assertTrue(writes.await(60, TimeUnit.SECONDS));
            Exchange exchange = large.poll(60, TimeUnit.SECONDS);
            assertNotNull(exchange);
            exchange.response().abort(new IOException("on purpose"));
            go.countDown();
            assertEquals(FIRST, client.answer().body());
            // The socket has taken a part of the second response, or nothing of it.
            String rest = client.rest();
            String begin = "HTTP/1.1 200";
            assertTrue(
                    (rest.startsWith(begin) || begin.startsWith(rest)) && !rest.endsWith(LARGE),
                    "the number of bytes after the first response is " + rest.length());
            server.awaitNothingHeld();
        }
    }

    @Test
    void anUploadThatDoesNotFitOnDiskGets503AndOtherRequestsAreServed() throws Exception {
        disk.room(10_000);
        try (WireServer server = server(new WireConfig().pipes(4096, 1024));
                RawClient client = server.connect();
                RawClient other = server.connect()) {
            client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n" + LARGE.substring(0, 50_000));
            Answer answer = client.answer();
            assertEquals(503, answer.status());
            assertEquals("close", answer.field("Connection"));
            assertEquals("", client.rest());
            assertEquals(1, server.counters.value(Counter.SPOOL_FAILURES));
            server.awaitNothingHeld();
            other.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 3000\r\n\r\n" + LARGE.substring(0, 3000));
            assertEquals("POST /a\n" + LARGE.substring(0, 3000), other.answer().body());
        }
    }

    @Test
    void anUploadGets503IfOnlyItsLastBytesDoNotFitOnDisk() throws Exception {
        disk.room(19_000);
        try (WireServer server = server(new WireConfig().pipes(4096, 1024));
                RawClient client = server.connect()) {
            client.send(
                    "POST /large HTTP/1.1\r\nHost: x\r\nContent-Length: 20000\r\n\r\n" + LARGE.substring(0, 20_000));
            assertEquals(503, client.answer().status());
            server.awaitNothingHeld();
            assertTrue(large.isEmpty());
        }
    }
}

package io.penstock.http1;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.RawConnection;
import io.penstock.metrics.Gauge;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests {@link RawConnection#offer}, by which a sender gives bytes to a client that might not read, and never waits for the client. */
final class OfferedOutputTest extends UpgradedConnectionFixture {
    private static final int HEAD = 10;
    private static final int PAYLOAD = 50_000;
    private static final int MUCH = 400;
    private final AtomicLong taken = new AtomicLong();

    /** Offers messages until one is not taken completely, but at most {@link #MUCH}. Returns what is left of it. */
    private ByteBuffer[] offerAll(RawConnection raw, boolean mayUseDisk) throws IOException {
        return offerAll(raw, mayUseDisk, MUCH, PAYLOAD);
    }

    private ByteBuffer[] offerAll(RawConnection raw, boolean mayUseDisk, int most, int length) throws IOException {
        for (int i = 0; i < most; i++) {
            ByteBuffer head = ByteBuffer.wrap(bytes(HEAD, i));
            ByteBuffer payload = ByteBuffer.wrap(bytes(length, i));
            raw.offer(head, payload, mayUseDisk);
            taken.addAndGet(HEAD - head.remaining() + length - payload.remaining());
            if (head.hasRemaining() || payload.hasRemaining()) {
                return new ByteBuffer[] {head, payload};
            }
        }
        return new ByteBuffer[0];
    }

    /** The output is ready as soon as it takes some bytes. So the rest may need several offers. */
    private void offerRestWhenReady(RawConnection raw, ByteBuffer head, ByteBuffer payload) {
        raw.output()
                .whenReady(() -> raw.work(() -> {
                    try {
                        raw.offer(head, payload, false);
                    } catch (IOException e) {
                        calls.add(e.toString());
                        return;
                    }
                    if (head.hasRemaining() || payload.hasRemaining()) {
                        offerRestWhenReady(raw, head, payload);
                    } else {
                        calls.add("all taken");
                    }
                }));
    }

    private static byte[] bytes(int count, int message) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) (31 * i + message);
        }
        return bytes;
    }

    private void assertReads(RawClient client, long count) throws IOException {
        assertReads(client, count, PAYLOAD);
    }

    private void assertReads(RawClient client, long count, int length) throws IOException {
        long left = count;
        for (int i = 0; left > 0; i++) {
            byte[] message = new byte[HEAD + length];
            System.arraycopy(bytes(HEAD, i), 0, message, 0, HEAD);
            System.arraycopy(bytes(length, i), 0, message, HEAD, length);
            int size = (int) Math.min(left, message.length);
            assertArrayEquals(Arrays.copyOf(message, size), client.exactly(size), "message " + i);
            left -= size;
        }
    }

    private static WireServer server(Site site, WireConfig config) throws Exception {
        return WireServer.with(config.workers(1).sendBuffer(4096), site);
    }

    @Test
    void withoutTheDiskOnlyMemoryTakesBytesAndTheRestIsTakenWhenTheClientHasRead() throws Exception {
        Site site = siteWith(raw -> {
            ByteBuffer[] left = offerAll(raw, false);
            calls.add("left " + left.length);
            offerRestWhenReady(raw, left[0], left[1]);
        });
        try (WireServer server = server(site, new WireConfig());
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send(RawEcho.REQUEST);
            assertCalls("left 2", "returned");
            assertEquals(0, level(server, Gauge.SPOOL_BYTES));
            assertServesAnotherClient(server);
            assertEquals(101, client.answer().status());
            assertReads(client, taken.get());
            assertCalls("all taken");
        }
    }

    @Test
    void theDiskTakesBytesAndItsFileIsReleasedWhenTheClientHasRead() throws Exception {
        Site site = siteWith(raw -> calls.add("left " + offerAll(raw, true).length));
        try (WireServer server = server(site, new WireConfig());
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send(RawEcho.REQUEST);
            assertCalls("left 0", "returned");
            assertTrue(level(server, Gauge.SPOOL_BYTES) > 0);
            assertServesAnotherClient(server);
            assertEquals(101, client.answer().status());
            assertReads(client, (long) MUCH * (HEAD + PAYLOAD));
            await().until(() -> level(server, Gauge.SPOOL_BYTES) == 0);
            server.awaitNothingHeld();
        }
    }

    @Test
    void whenMemoryAndDiskAreFullNoBytesAreTakenAndAWaitEndsInTime() throws Exception {
        Site site = siteWith(raw -> {
            calls.add("left " + offerAll(raw, true).length);
            assertFalse(raw.awaitRoom(TimeUnit.MILLISECONDS.toNanos(20)));
        });
        try (WireServer server = server(site, new WireConfig().responseSpoolLimit(1 << 20));
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send(RawEcho.REQUEST);
            assertCalls("left 2", "returned");
            assertServesAnotherClient(server);
            assertEquals(101, client.answer().status());
            assertReads(client, taken.get());
            await().until(() -> level(server, Gauge.SPOOL_BYTES) == 0);
        }
    }

    /** Without the next message, nobody would notice that memory has room again. */
    @Test
    void aWorkerIsFreeWhenTheClientHasReadTheOnlyMessageThatTheDiskRefused() throws Exception {
        int small = 1000;
        Site site = siteWith(raw -> {
            int messages = 0;
            while (raw.output().isReady()) {
                offer(raw, messages++, small);
            }
            calls.add("taken " + (taken.get() == (long) messages * (HEAD + small)));
        });
        try (WireServer server = server(site, new WireConfig().responseSpoolLimit(0));
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send(RawEcho.REQUEST);
            assertCalls("taken true", "returned");
            assertEquals(101, client.answer().status());
            assertReads(client, taken.get(), small);
            assertServesAnotherClient(server);
        }
    }

    private void offer(RawConnection raw, int message, int length) throws IOException {
        ByteBuffer head = ByteBuffer.wrap(bytes(HEAD, message));
        ByteBuffer payload = ByteBuffer.wrap(bytes(length, message));
        raw.offer(head, payload, true);
        taken.addAndGet(HEAD - head.remaining() + length - payload.remaining());
    }

    /** Small messages are collected before they go to disk. What the disk refuses of them goes to memory, but only once. */
    @Test
    void whenMemoryAndDiskAreFullNoSmallMessagesAreTakenEither() throws Exception {
        int small = 1000;
        Site site = siteWith(raw -> calls.add("left " + offerAll(raw, true, 40_000, small).length));
        try (WireServer server = server(site, new WireConfig().responseSpoolLimit(1 << 20));
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send(RawEcho.REQUEST);
            assertCalls("left 2", "returned");
            assertServesAnotherClient(server);
            assertEquals(101, client.answer().status());
            assertReads(client, taken.get(), small);
            await().until(() -> level(server, Gauge.SPOOL_BYTES) == 0);
        }
    }
}

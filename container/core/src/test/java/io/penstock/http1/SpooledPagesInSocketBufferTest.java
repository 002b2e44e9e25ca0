package io.penstock.http1;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.exchange.Exchange;
import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * If the socket accepts no more bytes, the server writes the response to a file (the spool file). The operating system can send a page of
 * this file without a copy. Then the socket buffer only refers to the page. So the server must not overwrite the page before the client has
 * received the bytes.
 */
final class SpooledPagesInSocketBufferTest {
    private static final int ON_DISK_BYTES = 40_000;
    private static final int SECOND_PART_BYTES = 12 << 20;
    private static final int READ_BYTES = 4_096;

    private final AtomicReference<Progress> progress = new AtomicReference<>(Progress.STARTED);

    /** The progress of the first part of the response. */
    private enum Progress {
        STARTED,
        /** Some bytes are in the spool file, because the socket accepts no more bytes. */
        ON_DISK,
        /** All bytes are in the buffer of the socket, and the client has not read them. */
        IN_SOCKET,
    }

    @Test
    void aSecondWriteToDiskDoesNotChangeBytesThatAreStillInTheSocketBuffer() throws Exception {
        AtomicReference<WireServer> serving = new AtomicReference<>();
        Site site = new Site().on("/twice", exchange -> writeTwoParts(exchange, serving.get()));
        try (WireServer server = WireServer.with(new WireConfig().workers(1).pipes(8_192, 4_096), site);
                RawClient client = server.connect()) {
            serving.set(server);
            client.send("GET /twice HTTP/1.0\r\nHost: x\r\n\r\n");
            await().until(() -> progress.get() == Progress.ON_DISK);
            skipHead(client);
            long read = 0;
            while (progress.get() == Progress.ON_DISK) {
                read = assertBytes(client.exactly(READ_BYTES), read);
            }
            await().until(() -> server.transport.spool().files() > 0); // waits until the second part is also on disk
            assertBytes(client.rest().getBytes(StandardCharsets.ISO_8859_1), read);
        }
    }

    private static void skipHead(RawClient client) throws IOException {
        for (String line = client.line(); !line.isEmpty(); ) {
            line = client.line();
        }
    }

    /**
     * Writes bytes until some bytes go to disk, and then further bytes. After the socket has accepted all these bytes, writes the second
     * part.
     */
    private void writeTwoParts(Exchange exchange, WireServer server) throws IOException {
        exchange.response().head(new ResponseHead(200, Fields.EMPTY, -1));
        long written = 0;
        while (server.transport.spool().files() == 0) {
            written = write(exchange, written, 1_000);
        }
        written = write(exchange, written, ON_DISK_BYTES);
        exchange.response().flush();
        progress.set(Progress.ON_DISK);
        await().pollInterval(Duration.ofMillis(1))
                .until(() -> exchange.response().isReady());
        progress.set(Progress.IN_SOCKET);
        write(exchange, written, SECOND_PART_BYTES);
        exchange.response().finish(Fields.EMPTY);
    }

    private static long write(Exchange exchange, long from, int count) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(count);
        for (int i = 0; i < count; i++) {
            bytes.put(byteAt(from + i));
        }
        exchange.response().write(bytes.flip(), false);
        return from + count;
    }

    private static long assertBytes(byte[] bytes, long from) {
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] != byteAt(from + i)) {
                assertEquals(byteAt(from + i), bytes[i], "the byte at position " + (from + i));
            }
        }
        return from + bytes.length;
    }

    /** Returns the byte at this position of the response. It depends on the position, so the test detects bytes at a wrong position. */
    private static byte byteAt(long position) {
        return (byte) (position ^ position >> 8 ^ position >> 16);
    }
}

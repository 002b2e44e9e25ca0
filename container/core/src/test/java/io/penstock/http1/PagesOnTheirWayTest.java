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
 * The operating system sends pages of a file without a copy. So bytes in the buffer of a socket can still be pages of the spool file until
 * the client receives the bytes. Later bytes must not be written to the same position of the file.
 */
final class PagesOnTheirWayTest {
    private static final int ON_DISK_BYTES = 40_000;
    private static final int REST = 12 << 20;
    private static final int STEP = 4_096;

    private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.BEGUN);

    /** The place where the bytes of the response are. */
    private enum Stage {
        BEGUN,
        /** Bytes wait in the spool file, because the socket accepts no more bytes. */
        ON_DISK,
        /** The bytes are in the buffer of the socket, and the client has not read them. */
        IN_SOCKET,
    }

    @Test
    void aSecondWriteToDiskDoesNotChangeBytesInTheSocket() throws Exception {
        AtomicReference<WireServer> serving = new AtomicReference<>();
        Site site = new Site().on("/twice", exchange -> twice(exchange, serving.get()));
        try (WireServer server = WireServer.with(new WireConfig().workers(1).pipes(8_192, 4_096), site);
                RawClient client = server.connect()) {
            serving.set(server);
            client.send("GET /twice HTTP/1.0\r\nHost: x\r\n\r\n");
            await().until(() -> stage.get() == Stage.ON_DISK);
            skipHead(client);
            long read = 0;
            while (stage.get() == Stage.ON_DISK) {
                read = check(client.exactly(STEP), read);
            }
            await().until(() -> server.transport.spool().files() > 0); // the second part is written
            check(client.rest().getBytes(StandardCharsets.ISO_8859_1), read);
        }
    }

    private static void skipHead(RawClient client) throws IOException {
        for (String line = client.line(); !line.isEmpty(); ) {
            line = client.line();
        }
    }

    /** Writes numbers until bytes go to disk, and then more numbers. When these bytes are in the socket, writes many more numbers. */
    private void twice(Exchange exchange, WireServer server) throws IOException {
        exchange.response().head(new ResponseHead(200, Fields.EMPTY, -1));
        long written = 0;
        while (server.transport.spool().files() == 0) {
            written = write(exchange, written, 1_000);
        }
        written = write(exchange, written, ON_DISK_BYTES);
        exchange.response().flush();
        stage.set(Stage.ON_DISK);
        await().pollInterval(Duration.ofMillis(1))
                .until(() -> exchange.response().isReady());
        stage.set(Stage.IN_SOCKET);
        write(exchange, written, REST);
        exchange.response().finish(Fields.EMPTY);
    }

    private static long write(Exchange exchange, long from, int count) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(count);
        for (int i = 0; i < count; i++) {
            bytes.put(numbered(from + i));
        }
        exchange.response().write(bytes.flip(), false);
        return from + count;
    }

    private static long check(byte[] bytes, long from) {
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] != numbered(from + i)) {
                assertEquals(numbered(from + i), bytes[i], "byte " + (from + i));
            }
        }
        return from + bytes.length;
    }

    /** Returns the byte for a position. Two parts of a response are almost never equal. */
    private static byte numbered(long position) {
        return (byte) (position ^ position >> 8 ^ position >> 16);
    }
}

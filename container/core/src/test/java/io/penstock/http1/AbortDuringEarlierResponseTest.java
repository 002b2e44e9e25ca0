package io.penstock.http1;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.exchange.Exchange;
import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import io.penstock.spool.SimulatedDisk;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * A pipelined response is aborted while its bytes are written to disk. At this time, the end of the earlier response is still in memory.
 * The client must receive the whole earlier response.
 */
final class AbortDuringEarlierResponseTest {
    private static final int CAPACITY = 512 * 1024;
    private static final String FIRST = "0123456789".repeat(CAPACITY / 20);
    private static final String REQUESTS =
            "GET /first HTTP/1.1\r\nHost: x\r\n\r\nGET /second HTTP/1.1\r\nHost: x\r\n\r\n";

    private final CountDownLatch writes = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);
    private final BlockingQueue<Exchange> seconds = new LinkedBlockingQueue<>();
    private final BlockingQueue<IOException> seen = new LinkedBlockingQueue<>();

    private WireServer server(SimulatedDisk disk) throws IOException {
        Site site = new Site()
                .on("/first", exchange -> Site.text(exchange, FIRST))
                .on("/second", exchange -> {
                    exchange.response().head(new ResponseHead(200, Fields.EMPTY, -1));
                    Thread writer = new Thread(() -> writeWithoutEnd(exchange), "application");
                    writer.setDaemon(true);
                    writer.start();
                });
        WireConfig config = new WireConfig()
                .workers(1)
                .pipes(CAPACITY, 16 * 1024)
                .sendBuffer(4096)
                .writeStall(600_000);
        return new WireServer(config, site, disk.beforeWrite(() -> {
            writes.countDown();
            await().until(() -> go.getCount() == 0);
        }));
    }

    private void writeWithoutEnd(Exchange exchange) {
        seconds.add(exchange);
        seen.add(assertThrows(IOException.class, () -> {
            while (true) {
                exchange.response().write(ByteBuffer.wrap(new byte[10_000]), false);
            }
        }));
    }

    /** Waits until the second response waits for the disk. Returns the exchange of the second response. */
    private Exchange awaitSecondExchange(WireServer server) throws Exception {
        assertTrue(writes.await(60, TimeUnit.SECONDS));
        server.awaitRest();
        return seconds.take();
    }

    private void assertFirstResponseIsWhole(RawClient client) throws Exception {
        go.countDown();
        assertEquals(FIRST, client.answer().body());
        assertThrows(EOFException.class, client::answer, "the client received a complete second response");
        seen.take(); // waits until the write of the second response has failed
    }

    @Test
    void anAbortDuringADiskWriteDoesNotTruncateTheEarlierResponse() throws Exception {
        try (WireServer server = server(new SimulatedDisk());
                RawClient client = server.connectWithReceiveBuffer(4096).send(REQUESTS)) {
            Exchange second = awaitSecondExchange(server);
            second.resume(() -> second.response().abort(new IOException("given up")));
            server.awaitRest(); // waits until the abort has been processed
            assertFirstResponseIsWhole(client);
        }
    }

    @Test
    void anAbortWithAFullDiskDoesNotTruncateTheEarlierResponse() throws Exception {
        try (WireServer server = server(new SimulatedDisk().room(0));
                RawClient client = server.connectWithReceiveBuffer(4096).send(REQUESTS)) {
            Exchange second = awaitSecondExchange(server);
            second.resume(() -> second.response().abort(new IOException("given up")));
            server.awaitRest();
            assertFirstResponseIsWhole(client);
        }
    }

    @Test
    void aServiceTimeoutDoesNotTruncateTheEarlierResponse() throws Exception {
        try (WireServer server = server(new SimulatedDisk());
                RawClient client = server.connectWithReceiveBuffer(4096).send(REQUESTS)) {
            Exchange second = awaitSecondExchange(server);
            ((Http1Exchange) second).overrun();
            server.awaitRest();
            assertFirstResponseIsWhole(client);
            second.resume(() -> {}); // an empty job, so that the exchange can end
        }
    }
}

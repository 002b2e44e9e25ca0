package io.penstock.http1;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.exchange.Exchange;
import io.penstock.http.Fields;
import io.penstock.http.ResponseHead;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A response is aborted while a thread of the application waits for the client. All timeouts are long, so no timeout can end the wait. */
final class AbortTest {
    private static final WireConfig CONFIG =
            new WireConfig().workers(1).sendBuffer(4096).responseSpoolLimit(0).writeStall(600_000);

    private final BlockingQueue<IOException> seen = new LinkedBlockingQueue<>();
    private final BlockingQueue<Exchange> served = new LinkedBlockingQueue<>();
    private final BlockingQueue<Thread> writers = new LinkedBlockingQueue<>();

    private void writeWithoutEnd(Exchange exchange) {
        seen.add(assertThrows(IOException.class, () -> {
            while (true) {
                exchange.response().write(ByteBuffer.wrap(new byte[10_000]), false);
            }
        }));
    }

    private Site site() {
        return new Site()
                .on("/push", exchange -> {
                    exchange.response().head(new ResponseHead(200, Fields.EMPTY, -1));
                    Thread writer = new Thread(() -> writeWithoutEnd(exchange), "application");
                    writer.setDaemon(true);
                    writer.start();
                    served.add(exchange);
                    writers.add(writer);
                })
                .on("/kept", exchange -> {
                    Site.text(exchange, "kept");
                    // The response has ended now. The client may have read its end a little earlier.
                    served.add(exchange);
                });
    }

    private <T> T taken(BlockingQueue<T> queue) throws InterruptedException {
        T taken = queue.poll(60, TimeUnit.SECONDS);
        assertNotNull(taken);
        return taken;
    }

    private Exchange exchangeWithWaitingWriter() throws InterruptedException {
        Thread writer = taken(writers);
        await().until(() -> writer.getState() == Thread.State.WAITING);
        return taken(served);
    }

    private void assertOthersAreServed(WireServer server) throws IOException {
        try (RawClient other = server.connect()) {
            other.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals("GET /a\n", other.answer().body());
        }
    }

    @Test
    void anAbortByAContinuationWakesTheWriterAndEndsTheConnection() throws Exception {
        try (WireServer server = WireServer.with(CONFIG, site());
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send("GET /push HTTP/1.1\r\nHost: x\r\n\r\nGET /a HTTP/1.1\r\nHost: x\r\n\r\n");
            Exchange exchange = exchangeWithWaitingWriter();
            exchange.resume(() -> exchange.response().abort(new IOException("given up")));
            taken(seen);
            assertOthersAreServed(server);
            assertThrows(EOFException.class, client::answer, "the aborted response was complete");
            server.awaitNothingHeld();
        }
    }

    @Test
    void anAbortedBodyWithoutLengthOrChunksEndsWithAReset() throws Exception {
        try (WireServer server = WireServer.with(CONFIG, site());
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send("GET /push HTTP/1.0\r\nHost: x\r\n\r\n");
            Exchange exchange = exchangeWithWaitingWriter();
            exchange.resume(() -> exchange.response().abort(new IOException("given up")));
            taken(seen);
            server.awaitNothingHeld();
            assertThrows(IOException.class, client::rest);
        }
    }

    @Test
    void aFailedTaskEndsTheConnection() throws Exception {
        try (WireServer server = WireServer.with(CONFIG, site());
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send("GET /push HTTP/1.1\r\nHost: x\r\n\r\n");
            Exchange exchange = exchangeWithWaitingWriter();
            exchange.execute(() -> {
                throw new IllegalStateException("a task below the application");
            });
            taken(seen);
            assertThrows(EOFException.class, client::answer);
            server.awaitNothingHeld();
        }
    }

    @Test
    void aLateWriterDoesNotChangeTheNextResponse() throws Exception {
        try (WireServer server = WireServer.with(CONFIG, site());
                RawClient client = server.connect()) {
            client.send("GET /kept HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals("kept", client.answer().body());
            Exchange over = taken(served);
            assertThrows(IOException.class, () -> over.response().write(ByteBuffer.wrap(new byte[100]), false));
            assertThrows(IOException.class, () -> over.response()
                    .write(over.response().segment(), true));
            over.response().informational(103, Fields.EMPTY);
            over.response().abort(new IOException("too late"));
            client.send("GET /kept HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals("kept", client.answer().body());
        }
    }
}

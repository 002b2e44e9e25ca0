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

/**
 * Tests aborted responses. In most tests, a thread of the application waits in a write, because the client does not read. All timeouts are
 * long, so no timeout can end this wait.
 */
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
                    // The response has ended before the test gets this exchange.
                    served.add(exchange);
                });
    }

    private <T> T taken(BlockingQueue<T> queue) throws InterruptedException {
        T taken = queue.poll(60, TimeUnit.SECONDS);
        assertNotNull(taken);
        return taken;
    }

    private Exchange awaitExchangeWithWaitingWriter() throws InterruptedException {
        Thread writer = taken(writers);
        await().until(() -> writer.getState() == Thread.State.WAITING);
        return taken(served);
    }

    private void assertAnotherClientIsServed(WireServer server) throws IOException {
        try (RawClient other = server.connect()) {
            other.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals("GET /a\n", other.answer().body());
        }
    }

    @Test
    void anAbortEndsTheWaitingWriteAndTheConnection() throws Exception {
        try (WireServer server = WireServer.with(CONFIG, site());
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send("GET /push HTTP/1.1\r\nHost: x\r\n\r\nGET /a HTTP/1.1\r\nHost: x\r\n\r\n");
            Exchange exchange = awaitExchangeWithWaitingWriter();
            exchange.resume(() -> exchange.response().abort(new IOException("given up")));
            taken(seen);
            assertAnotherClientIsServed(server);
            assertThrows(EOFException.class, client::answer, "the client received a complete response");
            server.awaitNothingHeld();
        }
    }

    @Test
    void anAbortOfAnHttp10ResponseWithoutALengthResetsTheConnection() throws Exception {
        try (WireServer server = WireServer.with(CONFIG, site());
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send("GET /push HTTP/1.0\r\nHost: x\r\n\r\n");
            Exchange exchange = awaitExchangeWithWaitingWriter();
            exchange.resume(() -> exchange.response().abort(new IOException("given up")));
            taken(seen);
            server.awaitNothingHeld();
            assertThrows(IOException.class, client::rest);
        }
    }

    @Test
    void anExceptionInATaskOfTheExchangeEndsTheConnection() throws Exception {
        try (WireServer server = WireServer.with(CONFIG, site());
                RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send("GET /push HTTP/1.1\r\nHost: x\r\n\r\n");
            Exchange exchange = awaitExchangeWithWaitingWriter();
            exchange.execute(() -> {
                throw new IllegalStateException("on purpose");
            });
            taken(seen);
            assertThrows(EOFException.class, client::answer);
            server.awaitNothingHeld();
        }
    }

    @Test
    void callsOnAnEndedResponseDoNotChangeTheNextResponse() throws Exception {
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

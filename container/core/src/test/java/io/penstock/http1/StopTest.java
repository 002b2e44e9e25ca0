package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The server's end: no new connections, what runs comes to its end, what does not is cut off after a while. */
final class StopTest {

    private static FutureTask<Boolean> stop(WireServer server) {
        FutureTask<Boolean> stopping = new FutureTask<>(() -> {
            server.close();
            return true;
        });
        new Thread(stopping, "stopper").start();
        return stopping;
    }

    @Test
    void idleConnectionsAreClosed() throws Exception {
        WireServer server = WireServer.echo();
        try (RawClient used = server.connect();
                RawClient unused = server.connect()) {
            used.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals(200, used.answer().status());
            server.events.awaitOpened(2);
            FutureTask<Boolean> stopping = stop(server);
            assertEquals("", used.rest());
            assertEquals("", unused.rest());
            assertTrue(stopping.get(5, TimeUnit.SECONDS));
        }
    }

    @Test
    void runningRequestIsAnsweredAndItsAnswerReadBySlowClients() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Site site = new Site().on("/slow", exchange -> {
            started.countDown();
            go.await();
            Site.text(exchange, "x".repeat(60_000));
        });
        WireServer server = WireServer.with(new WireConfig().sendBuffer(4096), site);
        try (RawClient client = server.connectWithReceiveBuffer(4096)) {
            client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n");
            started.await();
            FutureTask<Boolean> stopping = stop(server);
            assertThrows(IOException.class, () -> {
                while (true) { // until the acceptor has stopped
                    server.connect().close();
                }
            });
            go.countDown();
            Answer answer = client.answer();
            assertEquals("close", answer.field("Connection"));
            assertEquals(60_000, answer.body().length());
            assertEquals("", client.rest());
            assertTrue(stopping.get(20, TimeUnit.SECONDS));
        }
    }

    @Test
    void requestThatDoesNotEndIsCutOff() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        Site site = new Site().on("/stuck", exchange -> {
            started.countDown();
            never.await();
        });
        WireServer server = new WireServer(
                new WireConfig().workers(1).toConfig(), site, Duration.ofMillis(100), new RecordedEvents());
        try (RawClient client = server.connect();
                RawClient queued = server.connect()) {
            client.send("GET /stuck HTTP/1.1\r\nHost: x\r\n\r\n");
            started.await();
            queued.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello");
            server.settle();
            assertTrue(stop(server).get(20, TimeUnit.SECONDS));
            assertEquals("", client.rest());
        }
    }
}

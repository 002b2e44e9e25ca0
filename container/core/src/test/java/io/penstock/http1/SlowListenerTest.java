package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** An event listener that blocks the thread for timeouts (scheduler) must not delay or interrupt a worker. */
final class SlowListenerTest {
    private final CountDownLatch reported = new CountDownLatch(1);
    private final CountDownLatch go = new CountDownLatch(1);
    private final AtomicBoolean interrupted = new AtomicBoolean();
    private final RecordedEvents events = new RecordedEvents() {
        @Override
        public void timedOut(String connection, String name) {
            super.timedOut(connection, name);
            reported.countDown();
            waitFor(go);
        }
    };

    private void waitFor(CountDownLatch latch) {
        try {
            assertTrue(latch.await(60, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            interrupted.set(true);
        }
    }

    @Test
    void theWorkerIsNotInterruptedIfTheHandlerReturnsWhileItsTimeoutIsReported() throws Exception {
        Site site = new Site().on("/late", exchange -> {
            waitFor(reported);
            Site.text(exchange, "late");
        });
        WireConfig config = new WireConfig().workers(1).serviceTimeout(100);
        try (WireServer server = new WireServer(config.toConfig(), site, Duration.ofSeconds(10), events);
                RawClient client = server.connect();
                RawClient other = server.connect()) {
            client.send("GET /late HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals("late", client.answer().body());
            other.send("GET /a HTTP/1.1\r\nHost: x\r\n\r\n");
            assertEquals("GET /a\n", other.answer().body());
            go.countDown();
            assertFalse(interrupted.get());
        }
    }
}

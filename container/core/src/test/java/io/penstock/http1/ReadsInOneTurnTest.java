package io.penstock.http1;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.Counter;
import io.penstock.reactor.Reactor;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** A body that arrives fast is read several times in one round of its reactor, and not without end. */
final class ReadsInOneTurnTest {
    private static final int SEGMENT = 4096;
    private static final int AT_ONCE = 4 * SEGMENT; // most bytes of one read
    private static final int LENGTH = 100_000;

    /** Counts the bytes of each round. Thread: the reactor, but for the constructor. */
    private static final class Rounds implements Runnable {
        private final WireServer server;
        private final Reactor reactor;
        private long before;
        volatile long most;
        volatile boolean over;

        Rounds(WireServer server) {
            this.server = server;
            this.reactor = server.transport.reactors().get(0);
        }

        @Override
        public void run() {
            long now = server.counters.value(Counter.RECEIVED_BYTES);
            most = Math.max(most, now - before);
            before = now;
            if (!over) {
                reactor.atEndOfRound(this);
            }
        }
    }

    @Test
    void bodyIsReadSeveralTimesInARoundAndAtMostFourTimes() throws Exception {
        WireConfig config = new WireConfig().overSockets().pipes(1 << 20, SEGMENT);
        try (WireServer server = WireServer.echo(config);
                RawClient client = server.connect()) {
            Rounds rounds = new Rounds(server);
            rounds.reactor.execute(rounds);
            await().until(() -> {
                upload(rounds.reactor, client);
                return rounds.most > 2 * AT_ONCE;
            });
            rounds.over = true;
            assertTrue(rounds.most <= 4 * AT_ONCE, rounds.most + " bytes");
        }
    }

    /** The reactor reads nothing before all bytes are sent; the system's buffers hold them. */
    private static void upload(Reactor reactor, RawClient client) throws IOException {
        CountDownLatch sent = new CountDownLatch(1);
        reactor.execute(() -> {
            try {
                sent.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        try {
            client.send("POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: " + LENGTH + "\r\n\r\n" + "x".repeat(LENGTH));
        } finally {
            sent.countDown();
        }
        assertEquals(LENGTH + "POST /a\n".length(), client.answer().body().length());
    }
}

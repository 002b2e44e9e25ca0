package io.penstock.http1;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.Counter;
import io.penstock.reactor.Reactor;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * A body that arrives fast is read in large parts, directly into its pipe. One round of the reactor reads only a limited number of bytes.
 */
final class ReadsInOneRoundTest {
    private static final int SEGMENT = 4096;
    private static final int STRAIGHT = 16 * SEGMENT; // the highest number of bytes of one read into a pipe
    private static final int LENGTH = 100_000;
    private static final String HEAD = "POST /held HTTP/1.1\r\nHost: x\r\nContent-Length: 90000\r\n\r\n";

    /** Counts the bytes of each round. Thread: the reactor, except for the constructor. */
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
    void aLargeBodyIsReadDirectlyIntoItsPipeOncePerRound() throws Exception {
        WireConfig config = new WireConfig().overSockets().pipes(1 << 20, SEGMENT);
        try (WireServer server = WireServer.echo(config);
                RawClient client = server.connect()) {
            Rounds rounds = new Rounds(server);
            rounds.reactor.execute(rounds);
            await().until(() -> {
                upload(rounds.reactor, client);
                // The first read gets the head and a part of the body.
                return rounds.most > STRAIGHT;
            });
            rounds.over = true;
            assertTrue(rounds.most <= SEGMENT + STRAIGHT, rounds.most + " bytes");
        }
    }

    /**
     * Blocks the reactor in the round that has read the last byte. The reactor continues when a worker has started the request. Thread: the
     * reactor.
     */
    private static final class Hold implements Runnable {
        final CountDownLatch served = new CountDownLatch(1);
        final CompletableFuture<Boolean> inTheRound = new CompletableFuture<>();
        private final WireServer server;
        private final Reactor reactor;

        Hold(WireServer server) {
            this.server = server;
            this.reactor = server.transport.reactors().get(0);
        }

        @Override
        public void run() {
            if (server.counters.value(Counter.RECEIVED_BYTES) < HEAD.length() + 90_000) {
                reactor.atEndOfRound(() -> reactor.execute(this));
                return;
            }
            try {
                inTheRound.complete(served.await(10, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                inTheRound.completeExceptionally(e);
            }
        }
    }

    @Test
    void aWorkerStartsTheRequestOfALargeBodyBeforeTheRoundEnds() throws Exception {
        AtomicReference<Hold> hold = new AtomicReference<>();
        Site site = new Site().on("/held", exchange -> {
            hold.get().served.countDown();
            Site.echo(exchange);
        });
        WireConfig config = new WireConfig().overSockets().pipes(1 << 20, SEGMENT);
        try (WireServer server = WireServer.with(config, site);
                RawClient client = server.connect()) {
            Hold held = new Hold(server);
            hold.set(held);
            held.reactor.execute(held);
            client.send(HEAD + "x".repeat(90_000));
            assertTrue(held.inTheRound.get(), "the worker did not start before the end of the round");
            client.answer();
        }
    }

    /** Sends all bytes while the reactor does not read. The buffers of the operating system hold these bytes. */
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

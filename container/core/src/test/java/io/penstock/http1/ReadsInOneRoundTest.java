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
 * The reactor reads a fast upload in large parts, directly into the buffer of the body (pipe). A round is one pass of the event loop of the
 * reactor. One round reads only a limited number of bytes.
 */
final class ReadsInOneRoundTest {
    private static final int SEGMENT = 4096;
    /** The highest number of bytes that one read puts directly into a pipe. */
    private static final int MAX_OF_DIRECT_READ = 16 * SEGMENT;

    private static final int LENGTH = 100_000;
    private static final String HEAD = "POST /held HTTP/1.1\r\nHost: x\r\nContent-Length: 90000\r\n\r\n";

    /** Finds the highest number of bytes that the reactor reads in one round. The reactor calls {@link #run}. */
    private static final class Rounds implements Runnable {
        private final WireServer server;
        private final Reactor reactor;
        private long before;
        volatile long most;
        volatile boolean stopped;

        Rounds(WireServer server) {
            this.server = server;
            this.reactor = server.transport.reactors().get(0);
        }

        @Override
        public void run() {
            long now = server.counters.value(Counter.RECEIVED_BYTES);
            most = Math.max(most, now - before);
            before = now;
            if (!stopped) {
                reactor.atEndOfRound(this);
            }
        }
    }

    @Test
    void aLargeBodyIsReadDirectlyIntoItsPipeAtMostOncePerRound() throws Exception {
        WireConfig config = new WireConfig().overSockets().pipes(1 << 20, SEGMENT);
        try (WireServer server = WireServer.echo(config);
                RawClient client = server.connect()) {
            Rounds rounds = new Rounds(server);
            rounds.reactor.execute(rounds);
            await().until(() -> {
                upload(rounds.reactor, client);
                // The test waits for a round with two reads. The first read gets the head and a part of the body. The
                // second read goes directly into the pipe.
                return rounds.most > MAX_OF_DIRECT_READ;
            });
            rounds.stopped = true;
            assertTrue(rounds.most <= SEGMENT + MAX_OF_DIRECT_READ, "bytes read in the largest round: " + rounds.most);
        }
    }

    /**
     * Blocks the reactor in the round that reads the last byte of the request. The reactor continues after a worker has started the
     * request. The reactor calls {@link #run}.
     */
    private static final class RoundBlocker implements Runnable {
        final CountDownLatch requestStarted = new CountDownLatch(1);
        final CompletableFuture<Boolean> startedInTheRound = new CompletableFuture<>();
        private final WireServer server;
        private final Reactor reactor;

        RoundBlocker(WireServer server) {
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
                startedInTheRound.complete(requestStarted.await(60, TimeUnit.SECONDS));
            } catch (InterruptedException e) {
                startedInTheRound.completeExceptionally(e);
            }
        }
    }

    @Test
    void aWorkerStartsARequestWithALargeBodyBeforeTheReactorEndsItsRound() throws Exception {
        AtomicReference<RoundBlocker> blocker = new AtomicReference<>();
        Site site = new Site().on("/held", exchange -> {
            blocker.get().requestStarted.countDown();
            Site.echo(exchange);
        });
        WireConfig config = new WireConfig().overSockets().pipes(1 << 20, SEGMENT);
        try (WireServer server = WireServer.with(config, site);
                RawClient client = server.connect()) {
            RoundBlocker held = new RoundBlocker(server);
            blocker.set(held);
            held.reactor.execute(held);
            client.send(HEAD + "x".repeat(90_000));
            assertTrue(held.startedInTheRound.get(), "the worker did not start before the end of the round");
            client.answer();
        }
    }

    /**
     * Sends the whole request while the reactor is blocked. Until the reactor reads, the bytes are in the buffers of the operating system.
     */
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

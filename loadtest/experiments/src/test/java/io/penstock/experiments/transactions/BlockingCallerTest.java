package io.penstock.experiments.transactions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.experiments.transactions.CallResult.Outcome;
import io.penstock.loadtest.client.Target;
import io.penstock.time.Clock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests a {@link BlockingCaller}. Each call needs a thread, so the number of threads limits the number of concurrent calls. No call takes
 * longer than its deadline.
 */
@Timeout(120)
class BlockingCallerTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    /** A server that answers each call after a millisecond, and counts the calls. */
    private static final class Server implements AutoCloseable {
        private final AtomicInteger calls = new AtomicInteger();
        private final DelayServer server;
        private final CompletableFuture<Void> ended;

        Server() throws IOException {
            this.server = new DelayServer(0, call -> delay(), 100, Clock.SYSTEM);
            this.ended = CompletableFuture.runAsync(this::run);
        }

        private long delay() {
            calls.incrementAndGet();
            return TimeUnit.MILLISECONDS.toNanos(1);
        }

        private void run() {
            try {
                server.run();
            } catch (IOException failed) {
                throw new AssertionError(failed);
            }
        }

        List<Target> targets(int calls) {
            return LongStream.range(0, calls)
                    .mapToObj(call -> Target.of(URI.create("http://127.0.0.1:" + server.port() + "/call/" + call)))
                    .toList();
        }

        @Override
        public void close() throws Exception {
            server.close();
            ended.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void theThreadOfTheTestMakesAllCallsIfThereAreNoCallThreads() throws Exception {
        try (Server server = new Server();
                BlockingCaller caller = new BlockingCaller(0, LONG)) {
            assertEquals(
                    List.of(CallResult.ANSWERED, CallResult.ANSWERED, CallResult.ANSWERED),
                    caller.callAll(server.targets(3)));
            assertEquals(3, server.calls.get());
        }
    }

    @Test
    void eachCallIsMadeExactlyOnce() throws Exception {
        try (Server server = new Server();
                BlockingCaller caller = new BlockingCaller(3, LONG)) {
            for (int i = 0; i < 200; i++) {
                assertTrue(caller.callAll(server.targets(4)).stream().allMatch(CallResult::isAnswered));
            }
            assertEquals(800, server.calls.get());
        }
    }

    @Test
    void allCallsFailAtTheDeadlineIfTheServerIsSilent() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                BlockingCaller caller = new BlockingCaller(1, Duration.ofMillis(100))) {
            Target target = Target.of(URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/"));
            List<CallResult> results = caller.callAll(List.of(target, target, target));
            assertEquals(3, results.size());
            // Two threads make the three calls: the thread of the test and one call thread. The third call waits for a
            // thread until the deadline has passed.
            assertTrue(
                    results.stream().allMatch(result -> result.outcome() == Outcome.PAST_DEADLINE), results::toString);
        }
    }

    @Test
    void aCallFailsWithTheReasonIfItsConnectionIsRefused() throws Exception {
        int free;
        try (ServerSocket closedSoon = new ServerSocket(0)) {
            free = closedSoon.getLocalPort();
        }
        try (BlockingCaller caller = new BlockingCaller(0, LONG)) {
            CallResult result = caller.callAll(List.of(Target.of(URI.create("http://127.0.0.1:" + free + "/"))))
                    .get(0);
            assertEquals(Outcome.FAILED, result.outcome());
            assertTrue(result.trouble().contains("refused"), result.trouble());
        }
    }

    @Test
    void runningCallsFailWhenTheCallerIsClosed() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Target target = Target.of(URI.create("http://127.0.0.1:" + silent.getLocalPort() + "/"));
            BlockingCaller caller = new BlockingCaller(1, Duration.ofMinutes(10));
            CompletableFuture<List<CallResult>> results = CompletableFuture.supplyAsync(() -> {
                try {
                    return caller.callAll(List.of(target, target));
                } catch (InterruptedException unexpected) {
                    throw new AssertionError(unexpected);
                }
            });
            silent.accept().getInputStream().readNBytes(10);
            caller.close();
            for (CallResult result : results.get(60, TimeUnit.SECONDS)) {
                assertEquals(Outcome.FAILED, result.outcome());
            }
        }
    }
}

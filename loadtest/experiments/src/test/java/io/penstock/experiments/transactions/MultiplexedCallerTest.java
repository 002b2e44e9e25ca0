package io.penstock.experiments.transactions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.experiments.transactions.CallResult.Outcome;
import io.penstock.loadtest.client.Target;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests a {@link MultiplexedCaller}. This caller makes all calls with one selector thread. The calls run concurrently, and no call takes
 * longer than its deadline.
 */
@Timeout(120)
class MultiplexedCallerTest {

    @Test
    void callAllMakesAllCallsAtTheSameTime() throws Exception {
        AtomicLong now = new AtomicLong();
        AtomicLong calls = new AtomicLong();
        // The clock advances when the server has received all four calls. Before that time, the server answers no call.
        // If the caller made the calls one after the other, it would wait for the first response until the deadline.
        DelayServer server = new DelayServer(
                0,
                call -> {
                    if (calls.incrementAndGet() == 4) {
                        now.set(TimeUnit.SECONDS.toNanos(2));
                    }
                    return TimeUnit.SECONDS.toNanos(1) - now.get();
                },
                100,
                now::get);
        CompletableFuture<Void> ended = CompletableFuture.runAsync(() -> run(server));
        try (MultiplexedCaller caller = MultiplexedCaller.start(4, Duration.ofSeconds(10))) {
            List<Target> targets = LongStream.range(0, 4)
                    .mapToObj(call -> target(server.port(), "/call/" + call))
                    .toList();
            assertTrue(caller.callAll(targets).stream().allMatch(CallResult::isAnswered));
        } finally {
            server.close();
        }
        ended.get(60, TimeUnit.SECONDS);
    }

    @Test
    void allCallsFailAtTheDeadlineIfTheServerIsSilent() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                MultiplexedCaller caller = MultiplexedCaller.start(3, Duration.ofMillis(100))) {
            Target target = target(silent.getLocalPort(), "/");
            List<CallResult> results = caller.callAll(List.of(target, target, target));
            assertEquals(3, results.size());
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
        try (MultiplexedCaller caller = MultiplexedCaller.start(1, Duration.ofSeconds(10))) {
            CallResult result = caller.callAll(List.of(target(free, "/"))).get(0);
            assertEquals(Outcome.FAILED, result.outcome());
            assertTrue(result.trouble().contains("refused"), result.trouble());
        }
    }

    @Test
    void runningCallsFailWhenTheCallerIsClosed() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Target target = target(silent.getLocalPort(), "/");
            MultiplexedCaller caller = MultiplexedCaller.start(2, Duration.ofMinutes(10));
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

    private static Target target(int port, String path) {
        return Target.of(URI.create("http://127.0.0.1:" + port + path));
    }

    private static void run(DelayServer server) {
        try {
            server.run();
        } catch (IOException failed) {
            throw new AssertionError(failed);
        }
    }
}

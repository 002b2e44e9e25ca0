package io.penstock.http1;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.limits.Counter;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Ten times as much as can be done: what can be done is done, and the rest is told so soon. */
final class OverloadTest {
    private static final int WORKERS = 4;
    private static final Duration SERVICE = Duration.ofMillis(20);
    private static final int CLIENTS = 50;
    private static final Duration EACH = Duration.ofMillis(25); // 50 of them: 2000 a second, of which 200 can be done
    private static final Duration LENGTH = Duration.ofSeconds(3);
    private static final int AGE = 150;
    private static final int QUEUE = 40; // 200 ms at full speed: some are refused, some age

    /** What one client got. */
    private record Outcome(int good, List<Long> refusedMillis) {}

    private static void takeTime(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    /** What the workers did with their time, which is longer than it should be where others use the machine too. */
    private static final class Work {
        private final LongAdder calls = new LongAdder();
        private final LongAdder nanos = new LongAdder();
        private final LongAccumulator longest = new LongAccumulator(Math::max, 0);

        void call() {
            long began = System.nanoTime();
            takeTime(SERVICE);
            long took = System.nanoTime() - began;
            calls.increment();
            nanos.add(took);
            longest.accumulate(took);
        }

        /** By how much the machine was late when it was latest. */
        long lateMillis() {
            return Duration.ofNanos(longest.get()).minus(SERVICE).toMillis();
        }
    }

    /** Asks at a constant rate as far as the answers come; reads each. */
    private static Outcome ask(WireServer server) throws IOException {
        int good = 0;
        List<Long> refused = new ArrayList<>();
        try (RawClient client = server.connect()) {
            long end = System.nanoTime() + LENGTH.toNanos();
            for (long due = System.nanoTime(); System.nanoTime() < end; due += EACH.toNanos()) {
                takeTime(Duration.ofNanos(due - System.nanoTime()));
                long began = System.nanoTime();
                client.send("GET /work HTTP/1.1\r\nHost: x\r\n\r\n");
                Answer answer = client.answer();
                if (answer.status() == 200) {
                    good++;
                } else {
                    assertEquals(503, answer.status());
                    refused.add(Duration.ofNanos(System.nanoTime() - began).toMillis());
                }
            }
        }
        return new Outcome(good, refused);
    }

    @Test
    void whatCanBeDoneIsDoneAndTheRestIsToldSo() throws Exception {
        Work work = new Work();
        Site site = new Site().on("/work", exchange -> {
            work.call();
            Site.text(exchange, "done");
        });
        WireConfig config = new WireConfig().workers(WORKERS).queue(QUEUE).queueAge(AGE);
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try (WireServer server = WireServer.with(config, site)) {
            long began = System.nanoTime();
            List<Future<Outcome>> asked = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                asked.add(clients.submit(() -> ask(server)));
            }
            int good = 0;
            List<Long> refused = new ArrayList<>();
            for (Future<Outcome> one : asked) {
                good += one.get().good();
                refused.addAll(one.get().refusedMillis());
            }
            refused.sort(null);
            long had = WORKERS * (System.nanoTime() - began);
            assertTrue(work.nanos.sum() > had / 2, () -> "workers worked " + work.nanos.sum() + " ns of " + had);
            assertEquals(work.calls.sum(), good, "what was done was answered");
            assertTrue(refused.size() > 10, "there was no overload");
            long slow = refused.get(refused.size() * 95 / 100);
            long late = work.lateMillis();
            assertTrue(slow < AGE + 1000 + late, "told after " + slow + " ms, the machine being late by " + late);
            assertEquals(
                    refused.size(),
                    server.counters.value(Counter.QUEUE_FULL)
                            + server.counters.value(Counter.QUEUE_AGED)
                            + server.counters.value(Counter.OVERLOADED));
            assertTrue(server.counters.value(Counter.QUEUE_AGED) > 0, "none aged");
            assertEquals(0, server.transport.queue().size());
            try (RawClient client = server.connect()) {
                client.send("GET /work HTTP/1.1\r\nHost: x\r\n\r\n");
                assertEquals("done", client.answer().body(), "normal again");
            }
            assertEquals(List.of(), server.events.failed());
        } finally {
            clients.shutdownNow();
        }
    }

    /** Sends up to four requests at once, reads some of the answers, and goes, one way or another. */
    private static void comeAndGo(WireServer server, Random random) throws IOException {
        int requests = 1 + random.nextInt(4);
        StringBuilder message = new StringBuilder();
        for (int i = 0; i < requests; i++) {
            message.append(
                    random.nextBoolean()
                            ? "GET /work HTTP/1.1\r\nHost: x\r\n\r\n"
                            : "POST /stream/work HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello");
        }
        RawClient client = server.connect().send(message.toString());
        for (int i = random.nextInt(requests + 1); i > 0; i--) {
            Answer answer = client.answer();
            assertTrue(answer.status() == 200 || answer.status() == 503, answer.statusLine());
            if (answer.field("Connection").equals("close")) {
                break;
            }
        }
        if (random.nextBoolean()) {
            client.reset();
        } else {
            client.close();
        }
    }

    @Test
    void clientsThatComeAndGoLeaveNothingBehind() throws Exception {
        Site site = new Site()
                .on("/work", exchange -> {
                    takeTime(Duration.ofMillis(20));
                    Site.text(exchange, "done");
                })
                .on("/stream/work", exchange -> {
                    takeTime(Duration.ofMillis(20));
                    Site.echo(exchange);
                });
        WireConfig config = new WireConfig().workers(2).maxStreaming(1).queue(6).queueAge(20);
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try (WireServer server = WireServer.with(config, site)) {
            long end = System.nanoTime() + Duration.ofSeconds(2).toNanos();
            List<Future<Integer>> gone = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                Random random = new Random(i);
                gone.add(clients.submit(() -> {
                    int rounds = 0;
                    for (; System.nanoTime() < end; rounds++) {
                        comeAndGo(server, random);
                    }
                    return rounds;
                }));
            }
            int rounds = 0;
            for (Future<Integer> one : gone) {
                rounds += one.get();
            }
            server.events.awaitClosed(rounds);
            server.awaitNothingHeld();
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> server.transport.queue().size() == 0);
            assertEquals(List.of(), server.events.failed());
            assertTrue(server.counters.value(Counter.QUEUE_AGED) > 0, "none aged");
            assertTrue(server.counters.value(Counter.CLIENTS_GONE) > 0, "none went");
            try (RawClient client = server.connect()) {
                client.send("GET /work HTTP/1.1\r\nHost: x\r\n\r\n");
                assertEquals("done", client.answer().body());
            }
        } finally {
            clients.shutdownNow();
        }
    }
}

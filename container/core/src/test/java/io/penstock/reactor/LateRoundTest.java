package io.penstock.reactor;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.events.ConnectionEvents;
import io.penstock.limits.Counters;
import io.penstock.memory.Rounds;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Checks the reports of late rounds. A round is one iteration of the loop of a selector thread. The thread must report a round that took
 * too long. The thread must not report a long sleep without work.
 */
class LateRoundTest {
    private final AtomicLong nanos = new AtomicLong();
    private final List<String> late = new CopyOnWriteArrayList<>();
    private Reactor reactor;

    @BeforeEach
    void start() throws Exception {
        ConnectionEvents events = new ConnectionEvents() {
            @Override
            public void late(String name, long took) {
                late.add(name + " " + Duration.ofNanos(took).toMillis() + " ms");
                throw new IllegalStateException("thrown by the test");
            }
        };
        reactor = new Reactor("reactor-7", nanos::get, events, new Counters(), 1024, Rounds.unwatched());
        reactor.start();
        round();
    }

    @AfterEach
    void stop() throws InterruptedException {
        reactor.stop();
        reactor.join();
    }

    /** Lets the selector thread run one round, and waits until the thread sleeps again. */
    private void round() {
        CompletableFuture<Thread> done = new CompletableFuture<>();
        reactor.execute(() -> done.complete(Thread.currentThread()));
        Thread thread = done.join();
        await().until(() -> Arrays.stream(thread.getStackTrace())
                .anyMatch(frame -> frame.getMethodName().equals("select")));
    }

    private void runCommandThatTakes(Duration time) {
        reactor.execute(() -> nanos.addAndGet(time.toNanos()));
        // The thread reports a late round before it completes the next round.
        round();
    }

    @Test
    void aRoundOfAtLeast20MillisecondsIsReported() {
        runCommandThatTakes(Duration.ofMillis(19));
        runCommandThatTakes(Duration.ofMillis(35));
        assertEquals(List.of("reactor-7 35 ms"), late);
        runCommandThatTakes(Duration.ofMillis(20));
        assertEquals(2, late.size());
    }

    @Test
    void aLongSleepIsNotReported() {
        nanos.addAndGet(Duration.ofHours(1).toNanos());
        round();
        round();
        assertTrue(late.isEmpty(), late::toString);
    }
}

package io.penstock.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.penstock.limits.Counter;
import io.penstock.limits.Counters;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class WaitingHandshakesTest {
    private static final int MOST = 100;

    private final Counters counters = new Counters();
    private final WaitingHandshakes waiting = new WaitingHandshakes(MOST, counters);
    private final List<String> closed = new ArrayList<>();
    private final Runnable first = () -> closed.add("first");
    private final Runnable second = () -> closed.add("second");
    private final Runnable third = () -> closed.add("third");

    @Test
    void nothingIsClosedUpToTheMaximum() {
        waiting.add(first, 60);
        waiting.add(second, 40);
        assertEquals(List.of(), closed);
        assertEquals(MOST, waiting.held());
    }

    @Test
    void theHandshakeThatHasWaitedLongestIsClosedBeyondTheMaximum() {
        waiting.add(first, 60);
        waiting.add(second, 40);
        waiting.add(third, 1);
        assertEquals(List.of("first"), closed);
        assertEquals(41, waiting.held());
        assertEquals(1, counters.value(Counter.TLS_BUDGET_EXCEEDED));
    }

    @Test
    void asManyAsNecessaryAreClosed() {
        waiting.add(first, 30);
        waiting.add(second, 30);
        waiting.add(third, 80);
        assertEquals(List.of("first", "second"), closed);
        assertEquals(80, waiting.held());
    }

    /** Otherwise an attacker could keep its handshakes by sending single bytes. */
    @Test
    void aHandshakeWhoseMemoryChangesKeepsItsPosition() {
        waiting.add(first, 10);
        waiting.add(second, 10);
        waiting.add(first, 90);
        assertEquals(List.of(), closed);
        waiting.add(first, 91);
        assertEquals(List.of("first"), closed);
        assertEquals(10, waiting.held());
    }

    @Test
    void aHandshakeThatWaitsAgainHasANewPosition() {
        waiting.add(first, 50);
        waiting.add(second, 50);
        waiting.remove(first);
        waiting.add(first, 50);
        waiting.add(third, 50);
        assertEquals(List.of("second"), closed);
    }

    @Test
    void aSingleHandshakeMayExceedTheMaximum() {
        waiting.add(first, 101);
        assertEquals(List.of(), closed);
        waiting.add(second, 1);
        assertEquals(List.of("first"), closed);
    }

    @Test
    void aRemovedHandshakeIsNotClosed() {
        waiting.add(first, 100);
        waiting.remove(first);
        waiting.remove(second);
        waiting.add(third, 100);
        assertEquals(List.of(), closed);
        assertEquals(100, waiting.held());
    }

    @Test
    void nothingIsHeldAfterThreadsHaveAddedAndRemovedTheirHandshakes() throws Exception {
        int threads = 4;
        int rounds = 5000;
        AtomicInteger calls = new AtomicInteger();
        CyclicBarrier start = new CyclicBarrier(threads);
        List<FutureTask<Integer>> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            FutureTask<Integer> one = new FutureTask<>(() -> {
                start.await();
                for (int round = 0; round < rounds; round++) {
                    Runnable close = new Runnable() { // no lambda: each round needs another object
                                @Override
                                public void run() {
                                    calls.incrementAndGet();
                                }
                            };
                    waiting.add(close, 60);
                    waiting.add(close, 70);
                    waiting.remove(close);
                }
                return rounds;
            });
            all.add(one);
            new Thread(one, "adds-" + i).start();
        }
        for (FutureTask<Integer> one : all) {
            assertEquals(rounds, one.get(60, TimeUnit.SECONDS));
        }
        assertEquals(0, waiting.held());
        assertEquals(calls.get(), counters.value(Counter.TLS_BUDGET_EXCEEDED));
    }
}

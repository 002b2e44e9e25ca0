package io.penstock.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.http1.Turn.Begun;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class TurnTest {
    private final Turn turn = new Turn();
    private final AtomicInteger discarded = new AtomicInteger();
    private final Turn.Answer first = discarded::incrementAndGet;
    private final Turn.Answer second = discarded::incrementAndGet;

    @Test
    void firstAnswerRunsAndTheSecondIsParked() {
        assertTrue(turn.isIdle());
        assertEquals(Begun.RUNS, turn.begin(first));
        assertFalse(turn.isIdle());
        assertFalse(turn.isParked());
        assertEquals(Begun.PARKED, turn.begin(second));
        assertTrue(turn.isParked());
        assertSame(second, turn.next());
        assertFalse(turn.isParked());
        assertFalse(turn.isIdle());
        assertNull(turn.next());
        assertTrue(turn.isIdle());
    }

    @Test
    void thirdAnswerIsAMistake() {
        turn.begin(first);
        turn.begin(second);
        assertThrows(IllegalStateException.class, () -> turn.begin(first));
    }

    @Test
    void nobodyFinishesWhatDoesNotRun() {
        assertThrows(IllegalStateException.class, turn::next);
    }

    @Test
    void closeDiscardsTheParkedAnswerOnly() {
        turn.begin(first);
        turn.begin(second);
        turn.close();
        assertEquals(1, discarded.get());
        assertNull(turn.next());
        assertEquals(Begun.REFUSED, turn.begin(first));
        assertFalse(turn.isIdle());
        turn.close();
        assertEquals(1, discarded.get());
    }

    /** The reactor parks, a worker takes: each answer is handed to exactly one of them, in order. */
    @Test
    void noAnswerIsLostBetweenReactorAndWorker() throws InterruptedException {
        class Numbered implements Turn.Answer {
            final int number;

            Numbered(int number) {
                this.number = number;
            }

            @Override
            public void discard() {
                discarded.incrementAndGet();
            }
        }
        int count = 20_000;
        AtomicInteger answered = new AtomicInteger();
        AtomicInteger disorder = new AtomicInteger();
        // The worker ends an answer and takes what is parked; with nothing parked the reactor has the next turn.
        java.util.concurrent.SynchronousQueue<Numbered> handed = new java.util.concurrent.SynchronousQueue<>();
        Thread worker = new Thread(() -> {
            try {
                while (answered.get() < count) {
                    Turn.Answer now = handed.take();
                    while (now instanceof Numbered numbered) {
                        if (numbered.number != answered.getAndIncrement()) {
                            disorder.incrementAndGet();
                        }
                        now = turn.next();
                    }
                }
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        worker.start();
        for (int i = 0; i < count; i++) {
            Numbered answer = new Numbered(i);
            while (turn.isParked()) {
                Thread.yield();
            }
            if (turn.begin(answer) == Begun.RUNS) {
                handed.put(answer);
            }
        }
        worker.join();
        assertEquals(count, answered.get());
        assertEquals(0, disorder.get());
    }
}

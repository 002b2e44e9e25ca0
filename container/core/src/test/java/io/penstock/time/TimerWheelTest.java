package io.penstock.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.time.TimerWheel.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests that the timers of a {@link TimerWheel} fire at their deadlines. The tests advance the time. */
final class TimerWheelTest {
    private static final long TICK = 10;
    private static final int SIZE = 8;
    private static final long ORIGIN = -1_000_003; // a clock can start at any value

    private final List<String> fired = new ArrayList<>();
    private final TimerWheel wheel = new TimerWheel(ORIGIN, TICK, SIZE);

    private class Named extends Timer {
        private final String name;

        Named(String name) {
            this.name = name;
        }

        @Override
        protected void expired() {
            fired.add(name);
        }
    }

    private Named set(String name, long at) {
        Named timer = new Named(name);
        wheel.set(timer, ORIGIN + at);
        return timer;
    }

    private void advance(long to) {
        wheel.advance(ORIGIN + to);
    }

    @Test
    void aTimerFiresAtItsDeadlineAndNotBefore() {
        Timer timer = set("a", 30);
        advance(29);
        assertEquals(List.of(), fired);
        assertTrue(timer.isOn());
        advance(30);
        assertEquals(List.of("a"), fired);
        assertFalse(timer.isOn());
        advance(1000);
        assertEquals(List.of("a"), fired);
    }

    @Test
    void aTimerFiresAtTheNextTickIfItsDeadlineIsBetweenTwoTicks() {
        set("a", 31);
        advance(39);
        assertEquals(List.of(), fired);
        advance(40);
        assertEquals(List.of("a"), fired);
    }

    @Test
    void aTimerFiresAtTheNextTickIfItsDeadlineIsInThePast() {
        advance(50);
        set("a", 20);
        advance(59);
        assertEquals(List.of(), fired);
        advance(60);
        assertEquals(List.of("a"), fired);
    }

    @Test
    void aTimerFiresOnlyAtItsLastDeadlineAfterSeveralChangesOfTheDeadline() {
        Timer timer = set("a", 30);
        wheel.set(timer, ORIGIN + 70);
        advance(60);
        assertEquals(List.of(), fired);
        wheel.set(timer, ORIGIN + 200);
        advance(199);
        assertEquals(List.of(), fired);
        advance(200);
        assertEquals(List.of("a"), fired);
    }

    @Test
    void aTimerFiresAtItsNewDeadlineIfTheNewDeadlineIsEarlier() {
        Timer timer = set("a", 70);
        wheel.set(timer, ORIGIN + 20);
        advance(20);
        assertEquals(List.of("a"), fired);
        advance(500);
        assertEquals(List.of("a"), fired);
    }

    @Test
    void aCancelledOrRemovedTimerDoesNotFireAndCanBeSetAgain() {
        Timer cancelled = set("cancelled", 30);
        Timer removed = set("removed", 30);
        wheel.cancel(cancelled);
        wheel.remove(removed);
        assertFalse(cancelled.isOn());
        assertFalse(removed.isOn());
        advance(40);
        assertEquals(List.of(), fired);
        wheel.set(cancelled, ORIGIN + 60);
        wheel.set(removed, ORIGIN + 60);
        advance(60);
        assertEquals(List.of("cancelled", "removed"), fired);
    }

    @Test
    void aCancelledTimerFiresAtTheNewDeadlineIfItIsSetAgain() {
        Timer timer = set("a", 50);
        wheel.cancel(timer);
        wheel.set(timer, ORIGIN + 30);
        advance(30);
        assertEquals(List.of("a"), fired);
    }

    @Test
    void timersWithDeadlinesBeyondOneRevolutionFireOnTime() {
        set("far", 3 * SIZE * TICK + 10);
        set("near", 10);
        for (long at = 0; at <= 3 * SIZE * TICK; at += TICK) {
            advance(at);
        }
        assertEquals(List.of("near"), fired);
        advance(3 * SIZE * TICK + 10);
        assertEquals(List.of("near", "far"), fired);
    }

    @Test
    void anAdvanceOverManyRevolutionsFiresAllDueTimers() {
        for (int i = 1; i <= 20; i++) {
            set("t" + i, i * TICK);
        }
        set("later", 1_000_000);
        advance(10_000);
        assertEquals(20, fired.size());
        advance(1_000_000);
        assertEquals("later", fired.get(20));
    }

    @Test
    void timersFireInTheOrderOfTheirTicks() {
        set("c", 30);
        set("a", 10);
        set("b", 20);
        advance(30);
        assertEquals(List.of("a", "b", "c"), fired);
    }

    @Test
    void aTimerWaitsForTheNewDeadlineIfItIsSetAgainWhileItFires() {
        Timer repeating = new Timer() {
            @Override
            protected void expired() {
                fired.add("r");
                wheel.set(this, ORIGIN + fired.size() * SIZE * TICK + TICK); // in the same bucket of the wheel
            }
        };
        wheel.set(repeating, ORIGIN + 10);
        advance(10);
        assertEquals(1, fired.size());
        advance(SIZE * TICK + TICK - 1);
        assertEquals(1, fired.size());
        advance(SIZE * TICK + TICK);
        assertEquals(2, fired.size());
    }

    @Test
    void aTimerFiresOncePerTickIfItSetsItselfAgain() {
        Timer greedy = new Timer() {
            @Override
            protected void expired() {
                fired.add("g");
                wheel.set(this, ORIGIN);
            }
        };
        wheel.set(greedy, ORIGIN + 10);
        advance(10);
        assertEquals(1, fired.size());
        advance(20);
        assertEquals(2, fired.size());
    }

    @Test
    void aFiringTimerCanMoveOrCancelOrRemoveOtherTimersOfTheSameTick() {
        Named moved = new Named("moved");
        Named cancelled = new Named("cancelled");
        Named removed = new Named("removed");
        Timer first = new Timer() {
            @Override
            protected void expired() {
                fired.add("first");
                wheel.set(moved, ORIGIN + 50);
                wheel.cancel(cancelled);
                wheel.remove(removed);
            }
        };
        wheel.set(first, ORIGIN + 10);
        wheel.set(moved, ORIGIN + 10);
        wheel.set(cancelled, ORIGIN + 10);
        wheel.set(removed, ORIGIN + 10);
        set("last", 10);
        advance(10);
        assertEquals(List.of("first", "last"), fired);
        advance(50);
        assertEquals(List.of("first", "last", "moved"), fired);
    }

    @Test
    void nanosToNextReturnsTheTimeUntilTheFirstTimerFires() {
        assertEquals(Long.MAX_VALUE, wheel.nanosToNext(ORIGIN));
        set("b", 70);
        assertEquals(70, wheel.nanosToNext(ORIGIN));
        Timer a = set("a", 30);
        assertEquals(30, wheel.nanosToNext(ORIGIN));
        assertEquals(5, wheel.nanosToNext(ORIGIN + 25));
        assertEquals(0, wheel.nanosToNext(ORIGIN + 35));
        wheel.remove(a);
        assertEquals(70, wheel.nanosToNext(ORIGIN));
    }

    @Test
    void nanosToNextIsCorrectWhenTheBucketsWrapAround() {
        advance(60);
        set("a", 100);
        assertEquals(40, wheel.nanosToNext(ORIGIN + 60));
        advance(100);
        assertEquals(List.of("a"), fired);
        assertEquals(Long.MAX_VALUE, wheel.nanosToNext(ORIGIN + 100));
    }

    @Test
    void aSizeIsRefusedIfItIsNotAPowerOfTwo() {
        assertThrows(IllegalArgumentException.class, () -> new TimerWheel(0, 1, 12));
    }

    /** Sets, cancels and removes timers at random, and advances the time. Compares the wheel with a simple model without buckets. */
    @Test
    void randomTimersFireAtMostOneTickAfterTheirDeadlines() {
        class Modelled extends Timer {
            long due = Long.MAX_VALUE;
            long firedAt = -1;
            long now;

            @Override
            protected void expired() {
                firedAt = now;
            }
        }
        Random random = new Random(7);
        List<Modelled> timers = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            timers.add(new Modelled());
        }
        long now = 0;
        for (int step = 0; step < 5_000; step++) {
            Modelled one = timers.get(random.nextInt(timers.size()));
            switch (random.nextInt(6)) {
                case 0 -> {
                    wheel.cancel(one);
                    one.due = Long.MAX_VALUE;
                }
                case 1 -> {
                    wheel.remove(one);
                    one.due = Long.MAX_VALUE;
                }
                default -> {
                    one.due = now + random.nextInt(400);
                    wheel.set(one, ORIGIN + one.due);
                }
            }
            long before = now;
            now += random.nextInt(100) == 0 ? random.nextInt(500) : random.nextInt(15);
            for (Modelled timer : timers) {
                timer.now = now;
            }
            advance(now);
            for (Modelled timer : timers) {
                if (timer.firedAt >= 0) {
                    assertTrue(timer.due <= now, "a timer fired before its deadline");
                    timer.firedAt = -1;
                    timer.due = Long.MAX_VALUE;
                }
                boolean overdue = timer.due != Long.MAX_VALUE && timer.due + TICK <= now && timer.due + TICK <= before;
                assertFalse(overdue, "a timer is late, by " + (now - timer.due) + " ns");
                assertEquals(timer.due != Long.MAX_VALUE, timer.isOn());
            }
        }
    }

    @Test
    void anErrorInOneTimerDoesNotPreventOtherTimersFromFiring() {
        set("a", 20);
        wheel.set(
                new Timer() {
                    @Override
                    protected void expired() {
                        throw new OutOfMemoryError("as if");
                    }
                },
                ORIGIN + 20);
        set("b", 20);
        set("c", 30);
        assertThrows(OutOfMemoryError.class, () -> advance(30));
        assertEquals(List.of("a"), fired);
        assertEquals(0, wheel.nanosToNext(ORIGIN + 30));
        advance(30);
        assertEquals(List.of("a", "b", "c"), fired);
        assertEquals(Long.MAX_VALUE, wheel.nanosToNext(ORIGIN + 30));
    }

    @Test
    void timersCanStillBeMovedOrRemovedAfterTheFailureOfAnotherTimerOfTheSameTick() {
        wheel.set(
                new Timer() {
                    @Override
                    protected void expired() {
                        throw new OutOfMemoryError("as if");
                    }
                },
                ORIGIN + 20);
        Named moved = set("b", 20);
        Named forgotten = set("c", 20);
        assertThrows(OutOfMemoryError.class, () -> advance(20));
        wheel.set(moved, ORIGIN + 50);
        wheel.remove(forgotten);
        advance(40);
        assertEquals(List.of(), fired);
        advance(50);
        assertEquals(List.of("b"), fired);
    }
}

package io.penstock.reactor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.memory.Rounds;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Tests the queue of commands for a reactor (a selector thread). In these tests, the test thread runs the commands instead of a reactor.
 */
final class CommandQueueTest {
    private final AtomicInteger wakes = new AtomicInteger();
    private final CommandQueue queue = new CommandQueue(wakes::incrementAndGet, Rounds.unwatched());
    private final List<String> ran = new ArrayList<>();

    @Test
    void twoCommandsWakeASleepingReactorOnce() {
        assertTrue(queue.mayFallAsleep());
        queue.add(() -> ran.add("a"));
        queue.add(() -> ran.add("b"));
        assertEquals(1, wakes.get());
        queue.awake();
        queue.runAll();
        assertEquals(List.of("a", "b"), ran);
    }

    @Test
    void aBusyReactorIsNotWoken() {
        queue.add(() -> ran.add("a"));
        queue.awake();
        queue.add(() -> ran.add("b"));
        assertEquals(0, wakes.get());
        queue.runAll();
        assertEquals(List.of("a", "b"), ran);
    }

    @Test
    void aCommandThatCanWaitWakesOnlyAReactorThatSleepsLong() {
        assertTrue(queue.mayDoze());
        queue.addForLater(new Signalled());
        assertEquals(0, wakes.get());
        queue.awake();
        queue.runAll();
        assertTrue(queue.mayFallAsleep());
        queue.addForLater(new Signalled());
        assertEquals(1, wakes.get());
        queue.awake();
        queue.runAll();
        assertEquals(List.of("signalled", "signalled"), ran);
    }

    @Test
    void anyOtherCommandWakesAReactorThatSleepsForAMoment() {
        assertTrue(queue.mayDoze());
        queue.addForLater(new Signalled());
        queue.add(() -> ran.add("a"));
        queue.add(() -> ran.add("b"));
        assertEquals(1, wakes.get());
        queue.awake();
        queue.runAll();
        assertEquals(List.of("signalled", "a", "b"), ran);
    }

    @Test
    void aReactorDoesNotSleepForAMomentIfACommandIsQueued() {
        queue.addForLater(new Signalled());
        assertFalse(queue.mayDoze());
        assertFalse(queue.mayFallAsleep());
    }

    @Test
    void aReactorDoesNotSleepIfACommandIsQueued() {
        queue.add(() -> ran.add("a"));
        assertFalse(queue.mayFallAsleep());
        queue.add(() -> ran.add("b"));
        assertEquals(0, wakes.get());
        queue.runAll();
        assertTrue(queue.mayFallAsleep());
    }

    @Test
    void runAllRunsALimitedNumberOfCommandsIfACommandAlwaysAddsItselfAgain() {
        AtomicInteger count = new AtomicInteger();
        queue.add(new Runnable() {
            @Override
            public void run() {
                count.incrementAndGet();
                queue.add(this);
            }
        });
        queue.runAll();
        assertTrue(count.get() <= 4096);
        assertFalse(queue.mayFallAsleep());
    }

    /** A command that the queue stores without a wrapper object. The same command can be added again after it has run. */
    private final class Signalled extends CommandQueue.Command {
        @Override
        void run() {
            ran.add("signalled");
        }
    }

    @Test
    void aFailedCommandDoesNotDropLaterCommands() {
        Signalled link = new Signalled();
        queue.add(() -> ran.add("a"));
        queue.add(() -> {
            throw new OutOfMemoryError("thrown by the test");
        });
        queue.add(link);
        queue.add(() -> ran.add("b"));
        queue.runAll();
        queue.add(link);
        queue.runAll();
        assertEquals(List.of("a", "signalled", "b", "signalled"), ran);
        assertTrue(queue.mayFallAsleep());
    }

    /**
     * Three threads add commands. The test thread runs the commands, and sleeps if no command is queued. If a wake-up is lost, the test
     * thread sleeps for too long and the test fails.
     */
    @Test
    void noWakeUpIsLost() throws InterruptedException {
        Semaphore selector = new Semaphore(0);
        CommandQueue busy = new CommandQueue(selector::release, Rounds.unwatched());
        AtomicInteger done = new AtomicInteger();
        int each = 50_000;
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Thread thread = new Thread(() -> {
                for (int n = 0; n < each; n++) {
                    busy.add(done::incrementAndGet);
                }
            });
            threads.add(thread);
            thread.start();
        }
        while (done.get() < 3 * each) {
            if (busy.mayFallAsleep()) {
                assertTrue(selector.tryAcquire(60, TimeUnit.SECONDS), "a wake-up was lost after command " + done.get());
                busy.awake();
            }
            busy.runAll();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }
}

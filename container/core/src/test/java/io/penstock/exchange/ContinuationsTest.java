package io.penstock.exchange;

import static io.penstock.PromptWaits.PATIENCE;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.memory.Rounds;
import io.penstock.work.Job;
import io.penstock.work.RequestQueue;
import io.penstock.work.Workers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests {@link Continuations}, which run the jobs of an exchange. A turn is the right to run these jobs. At most one thread has the turn. A
 * turn ends when no job waits. With {@code handOver()}, a job leaves the turn to the thread that later calls {@code takeOver()}.
 */
final class ContinuationsTest {
    private final RequestQueue queue = new RequestQueue(10, 1);
    private final Workers workers = new Workers(queue, 4, "", Rounds.unwatched());
    private final List<String> ran = new CopyOnWriteArrayList<>();
    private final AtomicInteger afterTurnCalls = new AtomicInteger();

    /** Runs inside {@link Owner#isDone}, which is called at the end of a turn. */
    private Runnable duringIsDone = () -> {};

    private final List<Continuations.End> ends = new CopyOnWriteArrayList<>();
    private final AtomicBoolean done = new AtomicBoolean();
    private final Continuations continuations = new Continuations(queue, new Owner());

    /** An owner for tests. The exchange is over when the test has set {@link #done}. */
    private final class Owner implements Continuations.Owner {
        @Override
        public boolean isDone() {
            duringIsDone.run();
            return done.get();
        }

        @Override
        public void afterTurn(Continuations.End end) {
            ends.add(end);
            afterTurnCalls.incrementAndGet();
        }

        @Override
        public void jobFailed(Throwable thrown) {
            ran.add(thrown.getMessage());
        }
    }

    @BeforeEach
    void start() {
        workers.start();
    }

    @AfterEach
    void stop() throws InterruptedException {
        workers.stop(PATIENCE);
    }

    @Test
    void runJobsRunsTheJobsThatWereAddedDuringTheFirstTurn() {
        continuations.add(() -> ran.add("a"));
        continuations.add(() -> ran.add("b"));
        assertEquals(List.of(), ran);
        assertEquals(0, queue.size(), "the jobs of the running turn are in the queue");
        continuations.runJobs();
        assertEquals(List.of("a", "b"), ran);
        assertEquals(0, afterTurnCalls.get(), "afterTurn() was called for the first turn");
    }

    @Test
    void aJobIsRunByAWorkerIfItWasAddedAfterTheFirstTurn() {
        continuations.runJobs();
        continuations.add(() -> ran.add(Thread.currentThread().getName()));
        await().until(() -> afterTurnCalls.get() == 1);
        assertTrue(ran.get(0).startsWith("worker-"), ran.get(0));
    }

    @Test
    void aJobRunsAfterTheJobThatAddedIt() {
        continuations.add(() -> {
            continuations.add(() -> ran.add("inner"));
            ran.add("outer");
        });
        continuations.runJobs();
        assertEquals(List.of("outer", "inner"), ran);
    }

    @Test
    void theTurnEndsAlthoughAJobHasThrown() {
        continuations.runJobs();
        continuations.add(() -> {
            throw new OutOfMemoryError("thrown by the test");
        });
        continuations.add(() -> ran.add("next"));
        await().until(() -> ran.size() == 2);
        assertEquals(List.of("thrown by the test", "next"), ran);
        await().until(() -> !ends.isEmpty());
        continuations.add(() -> ran.add("later"));
        await().until(() -> ran.size() == 3);
    }

    /**
     * The test first adds two jobs with addWhenIdle(), and then a job with add(). This job adds further jobs with add(). A job of
     * addWhenIdle() runs only when no job of add() waits.
     */
    @Test
    void aJobPassedToAddWhenIdleRunsOnlyIfNoJobPassedToAddIsWaiting() {
        continuations.addWhenIdle(() -> {
            ran.add("idle");
            continuations.add(() -> ran.add("added by it"));
        });
        continuations.addWhenIdle(() -> ran.add("idle again"));
        continuations.add(() -> {
            ran.add("a");
            continuations.add(() -> {
                ran.add("b");
                continuations.add(() -> ran.add("c"));
            });
        });
        continuations.runJobs();
        assertEquals(List.of("a", "b", "c", "idle", "added by it", "idle again"), ran);
    }

    @Test
    void addWhenIdleStartsATurnIfNoTurnIsRunning() {
        continuations.runJobs();
        continuations.addWhenIdle(() -> ran.add("idle"));
        await().atMost(PATIENCE).until(() -> afterTurnCalls.get() == 1);
        assertEquals(List.of("idle"), ran);
    }

    @Test
    void aJobPassedToAddWhenIdleDoesNotRunWhileTheTurnIsHandedOver() {
        continuations.add(continuations::handOver);
        continuations.runJobs();
        continuations.addWhenIdle(() -> ran.add("idle"));
        assertEquals(List.of(), ran);
        continuations.takeOver();
        continuations.release();
        await().atMost(PATIENCE).until(() -> afterTurnCalls.get() == 1);
        assertEquals(List.of("idle"), ran);
    }

    @Test
    void aJobRunsOnTheCallingThreadAfterTheWorkersHaveStopped() throws InterruptedException {
        continuations.runJobs();
        workers.stop(PATIENCE);
        continuations.add(() -> ran.add(Thread.currentThread().getName()));
        assertEquals(List.of(Thread.currentThread().getName()), ran);
    }

    /**
     * The test's thread ends the first turn. Meanwhile, another thread adds a job that ends the exchange. This job must run in the next
     * turn. So the first turn ends with LEFT, and the next turn ends with OVER.
     */
    @Test
    void aJobIsRunInTheNextTurnIfItWasAddedAtTheEndOfATurn() throws InterruptedException {
        Thread other = new Thread(() -> continuations.add(() -> {
            ran.add("last");
            done.set(true);
        }));
        other.setDaemon(true);
        duringIsDone = () -> {
            duringIsDone = () -> {};
            other.start();
            await().atMost(PATIENCE).until(() -> other.getState() == Thread.State.BLOCKED || !ran.isEmpty());
        };
        assertEquals(Continuations.End.LEFT, continuations.runJobs());
        await().atMost(PATIENCE).until(() -> afterTurnCalls.get() == 1);
        assertEquals(List.of("last"), ran);
        assertEquals(List.of(Continuations.End.OVER), ends);
        other.join();
    }

    @Test
    void aJobIsRunEvenIfItWasAddedAfterTheEndOfTheExchange() {
        done.set(true);
        assertEquals(Continuations.End.OVER, continuations.runJobs());
        continuations.add(() -> {
            ran.add("late");
            continuations.add(() -> ran.add("later"));
        });
        await().atMost(PATIENCE).until(() -> afterTurnCalls.get() == 1);
        continuations.add(() -> ran.add("latest"));
        await().atMost(PATIENCE).until(() -> afterTurnCalls.get() == 2);
        assertEquals(List.of("late", "later", "latest"), ran);
        assertEquals(List.of(Continuations.End.LEFT, Continuations.End.LEFT), ends);
    }

    @Test
    void theExchangeIsNotOverWhileTheTurnIsHandedOver() {
        continuations.add(() -> {
            done.set(true);
            continuations.handOver();
        });
        assertEquals(Continuations.End.HANDED_OVER, continuations.runJobs());
        continuations.add(() -> ran.add("behind"));
        assertEquals(List.of(), ran);
        continuations.takeOver();
        continuations.release();
        await().atMost(PATIENCE).until(() -> afterTurnCalls.get() == 1);
        assertEquals(List.of("behind"), ran);
    }

    /** A client that sends without a pause must not keep the only worker. */
    @Test
    void jobsThatComeWithoutAPauseLeaveTheWorkerToOthersThatWait() throws InterruptedException {
        RequestQueue ofOne = new RequestQueue(10, 1);
        Workers one = new Workers(ofOne, 1, "", Rounds.unwatched());
        one.start();
        Continuations busy = new Continuations(ofOne, new Owner());
        AtomicBoolean served = new AtomicBoolean();
        CountDownLatch begun = new CountDownLatch(1);
        try {
            busy.runJobs();
            busy.add(new Runnable() {
                @Override
                public void run() {
                    begun.countDown();
                    if (!served.get()) {
                        busy.add(this);
                    } else {
                        busy.add(() -> ran.add("the rest"));
                    }
                }
            });
            begun.await();
            ofOne.offer(new Job() {
                @Override
                public void run() {
                    served.set(true);
                }

                @Override
                public void abandon() {}
            });
            await().atMost(PATIENCE).untilTrue(served);
            await().atMost(PATIENCE).until(() -> ran.equals(List.of("the rest")));
        } finally {
            served.set(true);
            one.stop(PATIENCE);
        }
        assertEquals(List.of(Continuations.End.LEFT, Continuations.End.LEFT), ends);
    }

    @Test
    void aTurnGoesOnIfTheQueueHasBeenClosed() {
        AtomicLong time = new AtomicLong();
        RequestQueue ended = new RequestQueue(10, 1, 1, Duration.ZERO, 1, time::get);
        ended.offer(new Job() {
            @Override
            public void run() {}

            @Override
            public void abandon() {}
        });
        ended.close();
        Continuations busy = new Continuations(ended, new Owner());
        int jobs = 5;
        busy.add(new Runnable() {
            @Override
            public void run() {
                if (time.addAndGet(TimeUnit.SECONDS.toNanos(1)) < TimeUnit.SECONDS.toNanos(jobs)) {
                    busy.add(this);
                } else {
                    ran.add("the rest");
                }
            }
        });
        assertEquals(Continuations.End.LEFT, busy.runJobs());
        assertEquals(List.of("the rest"), ran);
    }

    /** Four threads add jobs to one exchange. The jobs never overlap, the jobs of each thread run in order, and no job is lost. */
    @Test
    void jobsRunOneAtATimeAndInOrder() throws InterruptedException {
        int threads = 4;
        int each = 20_000;
        AtomicInteger now = new AtomicInteger();
        AtomicInteger overlaps = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();
        int[] last = new int[threads]; // written only by jobs, which never overlap
        AtomicInteger disorder = new AtomicInteger();
        continuations.runJobs();
        List<Thread> adders = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int who = t;
            Thread adder = new Thread(() -> {
                for (int i = 1; i <= each; i++) {
                    int number = i;
                    continuations.add(() -> {
                        if (now.incrementAndGet() != 1) {
                            overlaps.incrementAndGet();
                        }
                        if (last[who] != number - 1) {
                            disorder.incrementAndGet();
                        }
                        last[who] = number;
                        now.decrementAndGet();
                        done.incrementAndGet();
                    });
                }
            });
            adders.add(adder);
            adder.start();
        }
        for (Thread adder : adders) {
            adder.join();
        }
        await().until(() -> done.get() == threads * each);
        assertEquals(0, overlaps.get());
        assertEquals(0, disorder.get());
    }
}

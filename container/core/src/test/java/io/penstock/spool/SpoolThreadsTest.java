package io.penstock.spool;

import static io.penstock.PromptWaits.PATIENCE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.memory.Rounds;
import io.penstock.spool.SpoolThreads.Taken;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that the number of waiting and running writes is limited. Each refused writer must be called when there is room, and no accepted
 * write may be lost.
 */
final class SpoolThreadsTest {
    private final CountDownLatch go = new CountDownLatch(1);
    private final SpoolThreads threads = new SpoolThreads(1, 2, "", Rounds.unwatched());

    @AfterEach
    void stop() throws InterruptedException {
        go.countDown();
        assertTrue(threads.stop(PATIENCE));
    }

    private void awaitGo() {
        try {
            assertTrue(go.await(60, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void fill() {
        assertEquals(Taken.YES, threads.offer(null, this::awaitGo));
        assertEquals(Taken.YES, threads.offer(null, this::awaitGo));
    }

    @Test
    void aWriteBeyondTheLimitIsRefusedImmediately() {
        fill();
        assertEquals(Taken.BUSY, threads.offer(null, this::awaitGo));
        assertEquals(2, threads.pending());
    }

    @Test
    void allRefusedWritersAreCalledWhenThereIsRoom() throws InterruptedException {
        fill();
        CountDownLatch called = new CountDownLatch(3);
        for (int i = 0; i < 3; i++) {
            threads.whenRoom(null, called::countDown);
        }
        assertEquals(3, called.getCount());
        go.countDown();
        assertTrue(called.await(60, TimeUnit.SECONDS), "a writer was not called");
    }

    @Test
    void aWriterIsCalledImmediatelyIfThereIsRoom() {
        AtomicInteger called = new AtomicInteger();
        threads.whenRoom(null, called::incrementAndGet);
        assertEquals(1, called.get());
    }

    @Test
    void aFailedWriteReleasesItsThreadAndItsPlace() throws InterruptedException {
        CountDownLatch ran = new CountDownLatch(10);
        for (int i = 0; i < 10; i++) {
            Runnable failing = () -> {
                ran.countDown();
                throw new IllegalStateException("a task that fails; expected in the log of this test");
            };
            while (threads.offer(null, failing) == Taken.BUSY) {
                Thread.onSpinWait();
            }
        }
        assertTrue(ran.await(60, TimeUnit.SECONDS));
    }

    @Test
    void theStopWaitsForAcceptedWritesAndTasks() throws InterruptedException {
        AtomicInteger done = new AtomicInteger();
        threads.offer(null, () -> {
            awaitGo();
            done.incrementAndGet();
        });
        threads.execute(done::incrementAndGet);
        go.countDown();
        assertTrue(threads.stop(PATIENCE));
        assertEquals(2, done.get());
        assertEquals(Taken.ENDED, threads.offer(null, done::incrementAndGet));
        threads.execute(done::incrementAndGet);
        assertEquals(3, done.get(), "the number of tasks that have run (one of them after the stop)");
    }

    @Test
    void theNumberOfThreadsCanChangeAtRunTime() throws InterruptedException {
        SpoolThreads resized = new SpoolThreads(1, 8, "", Rounds.unwatched());
        resized.resize(3);
        assertEquals(3, resized.threads());
        CountDownLatch together = new CountDownLatch(3);
        for (int i = 0; i < 3; i++) {
            resized.offer(null, () -> {
                together.countDown();
                awaitGo();
            });
        }
        assertTrue(together.await(60, TimeUnit.SECONDS));
        resized.resize(1);
        assertEquals(1, resized.threads());
        go.countDown();
        assertTrue(resized.stop(PATIENCE));
    }
}

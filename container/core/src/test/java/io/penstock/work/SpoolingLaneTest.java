package io.penstock.work;

import static io.penstock.PromptWaits.PATIENCE;
import static io.penstock.work.PlayedWorker.take;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.memory.Rounds;
import io.penstock.work.RequestQueue.Offered;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the limit for spooling requests. The worker of a spooling request waits for the disk. In this test, at most two of the four workers
 * may run spooling requests. The other workers must serve requests that do not spool.
 */
final class SpoolingLaneTest {
    private static final int WORKERS = 4;
    private static final int SHARE = 2;

    private final RequestQueue queue = new RequestQueue(100, 1, SHARE, Duration.ZERO, WORKERS, System::nanoTime);
    private @Nullable Workers workers; // null if the test takes the jobs itself
    private final Semaphore disk = new Semaphore(0);
    private volatile boolean spoolingExpected;

    /** A spooling request. It runs until the test releases the disk. */
    private final class SpoolingRequest implements Job {
        volatile boolean begun;

        @Override
        public void run() {
            begun = true;
            queue.waitsForDisk();
            queue.waitsForDisk();
            disk.acquireUninterruptibly();
        }

        @Override
        public boolean isSpooling() {
            return spoolingExpected;
        }

        @Override
        public void abandon() {}
    }

    private final List<SpoolingRequest> offered = new ArrayList<>();

    private Workers startWorkers() {
        Workers made = new Workers(queue, WORKERS, "", Rounds.unwatched());
        workers = made;
        made.start();
        return made;
    }

    private Offered offerSpoolingRequest() {
        SpoolingRequest one = new SpoolingRequest();
        offered.add(one);
        return queue.offer(one);
    }

    private void assertServed() {
        SmallJob small = new SmallJob();
        queue.offer(small);
        await().atMost(PATIENCE).until(() -> small.done);
    }

    private long begun() {
        return offered.stream().filter(one -> one.begun).count();
    }

    @AfterEach
    void stop() throws InterruptedException {
        disk.release(1000);
        if (workers != null) {
            workers.stop(PATIENCE);
        }
        assertEquals(0, queue.spooling());
    }

    @Test
    void spoolingRequestsUseOnlyTheirShareOfTheWorkersAndOtherRequestsAreServed() {
        startWorkers();
        spoolingExpected = true;
        for (int i = 0; i < 20; i++) {
            assertEquals(Offered.WAITS, offerSpoolingRequest());
        }
        await().until(() -> begun() == SHARE);
        for (int i = 0; i < 20; i++) {
            assertServed();
        }
        assertEquals(SHARE, begun());
        assertEquals(SHARE, queue.spooling());
        assertEquals(20 - SHARE, queue.size());
        assertFalse(queue.wantsWorkers(), "the queue wants a worker, but only spooling requests wait");
        disk.release();
        await().until(() -> begun() == SHARE + 1);
        assertServed();
        assertEquals(SHARE, queue.spooling());
    }

    /**
     * All workers run spooling requests, because the queue did not know in advance that these requests spool. The first worker that
     * becomes free must then run a request that does not spool.
     */
    @Test
    void aFreeWorkerSkipsSpoolingRequestsInTheQueueAfterSpoolingIsDetected() {
        for (int i = 0; i < 20; i++) {
            assertEquals(Offered.WAITS, offerSpoolingRequest());
        }
        SmallJob small = new SmallJob();
        assertEquals(Offered.WAITS, queue.offer(small));
        startWorkers();
        await().until(() -> begun() == WORKERS && queue.spooling() == WORKERS);
        spoolingExpected = true;
        // The waiting spooling requests are now expected to spool, and this call moves them to the line of spooling
        // requests. The test thread is not a worker, so the number of spooling workers does not change.
        queue.waitsForDisk();
        assertEquals(WORKERS, queue.spooling());
        assertFalse(small.done);
        disk.release();
        await().until(() -> small.done);
        assertEquals(WORKERS, begun(), "the number of spooling requests that have begun");
        assertTrue(queue.withdraw(offered.get(19)), "the queue must find a waiting spooling request");
        assertFalse(queue.withdraw(offered.get(19)));
        disk.release(1000);
        await().until(() -> begun() == 19);
    }

    /**
     * Workers must run the oldest request first, whether the request spools or not. Otherwise a spooling request could wait forever while
     * the server is busy.
     */
    @Test
    void theOldestRequestRunsFirstWhetherItSpoolsOrNot() {
        spoolingExpected = true;
        offerSpoolingRequest();
        SmallJob first = new SmallJob();
        SmallJob second = new SmallJob();
        queue.offer(first);
        queue.offer(second);
        offerSpoolingRequest();
        assertSame(offered.get(0), take(queue));
        assertSame(first, take(queue));
        assertSame(second, take(queue));
        queue.endSpooling();
        assertSame(offered.get(1), take(queue));
        queue.endSpooling();
    }

    @Test
    void aWorkerIsNotCountedAsSpoolingAfterItsWaitForTheDiskHasEnded() {
        spoolingExpected = true;
        offerSpoolingRequest();
        offerSpoolingRequest();
        assertSame(offered.get(0), take(queue));
        assertTrue(queue.currentSpools());
        assertEquals(1, queue.spooling());
        queue.endSpooling();
        queue.endSpooling();
        assertFalse(queue.currentSpools());
        assertEquals(0, queue.spooling());
        assertTrue(queue.withdraw(offered.get(1)));
    }

    /** A new request must not overtake a waiting request, even if a worker is idle. The new request must wait, too. */
    @Test
    void aNewRequestDoesNotOvertakeAWaitingRequest() {
        Workers started = startWorkers();
        await().until(() ->
                started.doing().stream().allMatch(worker -> worker.thread().getState() == Thread.State.TIMED_WAITING));
        SmallJob before = new SmallJob();
        assertEquals(Offered.TAKEN, queue.offerOneOfMany(before));
        spoolingExpected = true;
        SpoolingRequest waits = new SpoolingRequest();
        assertEquals(Offered.WAITS, queue.offerOneOfMany(waits));
        SmallJob after = new SmallJob();
        assertEquals(Offered.WAITS, queue.offerOneOfMany(after));
        queue.wakeChosen();
        await().until(() -> before.done && waits.begun && after.done);
    }

    /** While a request waits, the server can learn whether the request spools. The queue must still find the request afterwards. */
    @Test
    void aWaitingRequestCanBeWithdrawnAfterTheServerHasLearnedWhetherItSpools() {
        spoolingExpected = true;
        offerSpoolingRequest();
        spoolingExpected = false;
        offerSpoolingRequest();
        spoolingExpected = true;
        assertTrue(queue.withdraw(offered.get(1)));
        spoolingExpected = false;
        assertTrue(queue.withdraw(offered.get(0)));
        assertEquals(0, queue.size());
    }

    @Test
    void aQueueOfLengthZeroAcceptsASpoolingRequestIfAWorkerIsIdle() throws InterruptedException {
        RequestQueue narrow = new RequestQueue(0, 1, SHARE, Duration.ZERO, WORKERS, System::nanoTime);
        spoolingExpected = true;
        assertEquals(Offered.FULL, narrow.offer(new SpoolingRequest()));
        Workers ofNarrow = new Workers(narrow, 1, "", Rounds.unwatched());
        ofNarrow.start();
        SmallJob small = new SmallJob();
        narrow.resume(small);
        await().until(() -> small.done);
        disk.release();
        await().until(() -> narrow.offer(new SpoolingRequest()) == Offered.WAITS);
        ofNarrow.stop(PATIENCE);
    }
}

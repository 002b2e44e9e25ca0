package io.penstock.work;

import static io.penstock.PromptWaits.PATIENCE;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.memory.Rounds;
import io.penstock.work.RequestQueue.Offered;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests a bulkhead (a group of requests with its own limits) with a limit of running jobs and a limit of waiting jobs. After the end of a
 * job, the bulkhead must no longer count the job, however the job ends. A job is a request, or a continuation (the next part of an
 * asynchronous request).
 */
final class LaneTest {
    private static final int WORKERS = 4;
    private static final int MAX = 2;
    private static final int MAX_QUEUED = 3;
    private static final Duration OVERLOAD_AFTER = Duration.ofSeconds(2);

    private final AtomicLong now = new AtomicLong();
    private final Lane share = new Lane(MAX, MAX_QUEUED);
    private final RequestQueue queue = new RequestQueue(10, 1, 1, OVERLOAD_AFTER, WORKERS, now::get);
    private final Workers workers = new Workers(queue, WORKERS, "", Rounds.unwatched());
    private final Semaphore database = new Semaphore(0);

    /** A job that hangs until the test releases the database. */
    private class Hanging implements Job {
        volatile boolean begun;
        volatile boolean done;
        volatile boolean abandoned;

        @Override
        public void run() {
            begun = true;
            database.acquireUninterruptibly();
            done = true;
        }

        @Override
        public @Nullable Lane lane() {
            return share;
        }

        @Override
        public void abandon() {
            abandoned = true;
        }
    }

    private final class HangingStream extends Hanging {
        @Override
        public boolean isStreaming() {
            return true;
        }
    }

    private final List<Hanging> hanging = new ArrayList<>();

    private Offered offer(Hanging job) {
        hanging.add(job);
        return queue.offer(job);
    }

    private Hanging offerHanging() {
        Hanging job = new Hanging();
        offer(job);
        return job;
    }

    private long begun() {
        return hanging.stream().filter(one -> one.begun).count();
    }

    private void awaitBegun(int count) {
        await().atMost(PATIENCE).until(() -> begun() == count);
    }

    private void assertServed() {
        SmallJob small = new SmallJob();
        assertTrue(queue.offer(small) != Offered.FULL);
        await().atMost(PATIENCE).until(() -> small.done);
    }

    /** Adds jobs until the bulkhead is full. Two jobs run, and three jobs wait. */
    private void fill() {
        workers.start();
        for (int i = 0; i < MAX + MAX_QUEUED; i++) {
            assertTrue(offer(new Hanging()) != Offered.FULL);
        }
        awaitBegun(MAX);
    }

    @AfterEach
    void stop() throws InterruptedException {
        database.release(1000);
        workers.stop(PATIENCE);
        assertEquals(0, share.running());
        assertEquals(0, share.waiting());
    }

    @Test
    void aFullBulkheadDoesNotDelayOtherRequests() {
        fill();
        for (int i = 0; i < 100; i++) {
            assertServed();
        }
        assertEquals(MAX, begun());
        assertEquals(MAX, share.running());
        assertEquals(MAX_QUEUED, share.waiting());
        assertEquals(0, queue.size());
        assertEquals(0, queue.oldestNanos());
        assertFalse(queue.wantsWorkers());
        database.release(MAX + MAX_QUEUED);
        await().atMost(PATIENCE).until(() -> hanging.stream().allMatch(one -> one.done));
    }

    @Test
    void aFullBulkheadRefusesNewJobsUntilARunningJobEnds() {
        fill();
        assertEquals(Offered.FULL, queue.offer(new Hanging()));
        assertServed();
        database.release();
        awaitBegun(MAX + 1);
        assertEquals(Offered.WAITS, offer(new Hanging()));
    }

    @Test
    void aBulkheadWithoutAQueueAdmitsAJobAndTheJobWaitsInTheQueueOfTheServer() {
        Lane narrow = new Lane(1, 0);
        RequestQueue busy = new RequestQueue(10, 1, 1, OVERLOAD_AFTER, WORKERS, now::get);
        Hanging first = new Hanging() {
            @Override
            public Lane lane() {
                return narrow;
            }
        };
        assertEquals(Offered.WAITS, busy.offer(first));
        assertEquals(Offered.FULL, busy.offer(first));
        assertTrue(busy.withdraw(first));
    }

    @Test
    void waitingJobsOfABulkheadRunInTheOrderOfTheirArrival() {
        fill();
        for (int next = MAX; next < MAX + MAX_QUEUED; next++) {
            assertFalse(hanging.get(next).begun);
            database.release();
            awaitBegun(next + 1);
            assertTrue(hanging.get(next).begun);
        }
    }

    @Test
    void waitingJobsOfABulkheadDoNotCauseAnOverloadOfTheServer() {
        fill();
        now.addAndGet(2 * OVERLOAD_AFTER.toNanos());
        assertServed();
        assertEquals(Offered.FULL, queue.offer(new Hanging()));
    }

    @Test
    void aFullBulkheadAcceptsAContinuationThatRunsBeforeTheWaitingJobs() {
        fill();
        Hanging continuation = new Hanging();
        queue.resume(continuation);
        assertEquals(MAX_QUEUED + 1, share.waiting());
        assertServed();
        assertFalse(continuation.begun);
        database.release();
        await().atMost(PATIENCE).until(() -> continuation.begun);
        assertEquals(MAX, begun());
        assertEquals(MAX, share.running());
    }

    @Test
    void aContinuationRunsImmediatelyIfTheBulkheadHasAFreeWorker() {
        workers.start();
        Hanging continuation = new Hanging();
        queue.resume(continuation);
        await().atMost(PATIENCE).until(() -> continuation.begun);
        assertEquals(1, share.running());
    }

    @Test
    void aFailedJobIsNoLongerCountedAsRunning() {
        workers.start();
        for (int i = 0; i < 10 * MAX; i++) {
            Hanging failing = new Hanging() {
                @Override
                public void run() {
                    begun = true;
                    throw new AssertionError("on purpose");
                }
            };
            await().atMost(PATIENCE).until(() -> queue.offer(failing) != Offered.FULL);
            await().atMost(PATIENCE).until(() -> failing.begun);
        }
        await().atMost(PATIENCE).until(() -> share.running() == 0);
    }

    @Test
    void aWithdrawnRequestMakesRoomForAnotherWaitingRequest() {
        fill();
        Hanging last = hanging.get(MAX + MAX_QUEUED - 1);
        assertTrue(queue.withdraw(last));
        assertFalse(queue.withdraw(last));
        assertFalse(queue.withdraw(hanging.get(0)), "a request that a worker runs cannot be withdrawn");
        assertEquals(MAX_QUEUED - 1, share.waiting());
        assertEquals(Offered.WAITS, offer(new Hanging()));
    }

    @Test
    void aWaitingStreamingRequestDoesNotDelayTheOtherRequestsOfItsBulkhead() {
        workers.start();
        assertTrue(queue.beginStreaming()); // takes the only place for streaming requests
        HangingStream stream = new HangingStream();
        assertEquals(Offered.WAITS, offer(stream));
        Hanging plain = offerHanging();
        await().atMost(PATIENCE).until(() -> plain.begun);
        assertFalse(stream.begun);
        queue.endStreaming();
        await().atMost(PATIENCE).until(() -> stream.begun);
        assertEquals(1, queue.streaming());
        assertEquals(MAX, share.running());
        database.release(MAX);
        await().atMost(PATIENCE).until(() -> queue.streaming() == 0);
        await().atMost(PATIENCE).until(() -> share.running() == 0);
    }

    @Test
    void aStreamingRequestIsNotCountedAsStreamingWhileItWaitsInItsBulkhead() {
        fill();
        assertTrue(queue.withdraw(hanging.get(MAX)));
        assertEquals(Offered.WAITS, offer(new HangingStream()));
        assertEquals(0, queue.streaming());
        assertTrue(queue.beginStreaming());
        queue.endStreaming();
    }

    @Test
    void waitingJobsAreAbandonedWhenTheWorkersStop() throws InterruptedException {
        fill();
        Hanging continuation = new Hanging();
        queue.resume(continuation);
        Thread stopper = new Thread(() -> {
            try {
                workers.stop(Duration.ZERO);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        stopper.start();
        await().atMost(PATIENCE).until(() -> continuation.abandoned);
        await().atMost(PATIENCE)
                .until(() -> hanging.stream().filter(one -> one.abandoned).count() == MAX_QUEUED);
        database.release(MAX);
        stopper.join();
        await().atMost(PATIENCE).until(() -> share.running() == 0);
    }

    @Test
    void waitingJobsOfABulkheadStillRunAfterTheQueueIsClosed() throws InterruptedException {
        fill();
        queue.close();
        assertEquals(Offered.FULL, queue.offer(new Hanging()));
        database.release(MAX + MAX_QUEUED);
        await().atMost(PATIENCE).until(() -> hanging.stream().allMatch(one -> one.done));
    }

    @Test
    void abandonedJobsAreNoLongerCountedAsWaiting() {
        RequestQueue withoutWorkers = new RequestQueue(10, 1, 1, OVERLOAD_AFTER, WORKERS, now::get);
        Hanging request = new Hanging();
        assertEquals(Offered.WAITS, withoutWorkers.offer(request));
        withoutWorkers.resume(new Hanging());
        assertEquals(2, share.waiting());
        withoutWorkers.close();
        withoutWorkers.abandonRest();
        assertEquals(0, share.waiting());
        assertTrue(request.abandoned);
    }

    @Test
    void theRetryAfterTimeOfABulkheadDependsOnlyOnItsOwnJobs() {
        fill();
        now.addAndGet(Duration.ofSeconds(4).toNanos());
        assertEquals(1, queue.secondsToEmpty());
        assertTrue(
                queue.secondsToEmpty(hanging.get(0)) > 1,
                "the Retry-After time must be longer, because no job of the bulkhead has begun for 4 s");
    }
}

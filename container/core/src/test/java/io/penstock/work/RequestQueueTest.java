package io.penstock.work;

import static io.penstock.PromptWaits.PATIENCE;
import static io.penstock.work.PlayedWorker.take;
import static io.penstock.work.PlayedWorker.takeNext;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.memory.Rounds;
import io.penstock.work.RequestQueue.Offered;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Tests the queue of the jobs that wait for a worker. A continuation is the next part of an asynchronous request. A streaming request can
 * make its worker wait for the client, so the number of workers for such requests is limited.
 */
final class RequestQueueTest {
    private static class Named implements Job {
        private final String name;
        private final boolean streaming;
        final AtomicInteger abandoned = new AtomicInteger();

        Named(String name) {
            this(name, false);
        }

        Named(String name, boolean streaming) {
            this.name = name;
            this.streaming = streaming;
        }

        @Override
        public void run() {}

        @Override
        public boolean isStreaming() {
            return streaming;
        }

        @Override
        public void abandon() {
            abandoned.incrementAndGet();
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /** A thread that takes one job and records it. */
    private static final class Taker {
        private final BlockingQueue<Object> taken = new LinkedBlockingQueue<>();
        final Thread thread;

        Taker(RequestQueue queue) {
            thread = new Thread(() -> {
                Job job = take(queue);
                taken.add(job == null ? "none" : job);
            });
            thread.setDaemon(true);
            thread.start();
        }

        Taker awaitAsleep() {
            await().pollInterval(Duration.ofMillis(1)).until(() -> thread.getState() == Thread.State.TIMED_WAITING);
            return this;
        }

        Object taken() throws InterruptedException {
            Object job = taken.poll(60, TimeUnit.SECONDS);
            return job == null ? "no job within 60 seconds" : job;
        }

        boolean sleeps() {
            return taken.isEmpty();
        }
    }

    private final Named a = new Named("a");
    private final Named b = new Named("b");
    private final Named c = new Named("c");

    @Test
    void requestsAreTakenInTheOrderOfTheirArrival() {
        RequestQueue queue = new RequestQueue(10, 1);
        assertEquals(Offered.WAITS, queue.offer(a));
        assertEquals(Offered.WAITS, queue.offer(b));
        assertEquals(2, queue.size());
        assertSame(a, take(queue));
        assertSame(b, take(queue));
        assertEquals(0, queue.size());
    }

    @Test
    void aFullQueueRefusesANewRequest() {
        RequestQueue queue = new RequestQueue(1, 1);
        assertEquals(Offered.WAITS, queue.offer(a));
        assertEquals(Offered.FULL, queue.offer(b));
        assertSame(a, take(queue));
        assertEquals(Offered.WAITS, queue.offer(b));
    }

    @Test
    void waitingStreamingRequestsDoNotReduceTheRoomForOtherRequests() {
        RequestQueue queue = new RequestQueue(1, 1);
        assertTrue(queue.beginStreaming(), "the only place for streaming must be free");
        assertEquals(Offered.WAITS, queue.offer(new Named("streaming", true)));
        assertEquals(Offered.FULL, queue.offer(new Named("one more", true)));
        assertFalse(queue.wantsWorkers(), "the waiting request cannot run, so the queue must not request a worker");
        assertEquals(Offered.WAITS, queue.offer(a));
        assertTrue(queue.wantsWorkers());
        assertEquals(Offered.FULL, queue.offer(b));
        assertSame(a, take(queue));
        assertFalse(queue.wantsWorkers());
        queue.endStreaming();
        assertTrue(queue.wantsWorkers());
    }

    @Test
    void aQueueWithCapacityZeroAcceptsARequestOnlyIfAWorkerIsIdle() throws InterruptedException {
        RequestQueue queue = new RequestQueue(0, 1);
        assertEquals(Offered.FULL, queue.offer(a));
        Taker taker = new Taker(queue).awaitAsleep();
        assertEquals(Offered.TAKEN, queue.offer(a));
        assertEquals(Offered.FULL, queue.offer(b));
        assertSame(a, taker.taken());
    }

    @Test
    void offerToIdleSucceedsOnlyIfAWorkerIsIdle() throws InterruptedException {
        RequestQueue queue = new RequestQueue(10, 1);
        assertFalse(queue.offerToIdle(a));
        Taker taker = new Taker(queue).awaitAsleep();
        assertTrue(queue.offerToIdle(a));
        assertFalse(queue.offerToIdle(b), "the only idle worker already has the first job");
        assertFalse(queue.wantsWorkers());
        assertEquals(Offered.WAITS, queue.offer(c));
        assertTrue(queue.wantsWorkers());
        assertSame(a, taker.taken());
        assertSame(c, take(queue));
    }

    @Test
    void offerToIdleFailsIfARequestWaitsOrTheQueueIsClosed() {
        RequestQueue queue = new RequestQueue(10, 1);
        assertEquals(Offered.WAITS, queue.offer(a));
        assertFalse(queue.offerToIdle(b));
        queue.close();
        assertFalse(queue.offerToIdle(b));
        assertEquals(0, b.abandoned.get(), "the queue must not abandon a job that offerToIdle has refused");
    }

    @Test
    void theFirstWokenWorkerIsTheWorkerThatFellAsleepLast() throws InterruptedException {
        RequestQueue queue = new RequestQueue(10, 1);
        Taker first = new Taker(queue).awaitAsleep();
        Taker second = new Taker(queue).awaitAsleep();
        queue.offer(a);
        assertSame(a, second.taken());
        assertTrue(first.sleeps());
        queue.offer(b);
        assertSame(b, first.taken());
    }

    /**
     * A reactor (a thread that reads requests) adds several requests, and then wakes one idle worker. This worker wakes the next worker.
     * The queue reserves one idle worker for each request.
     */
    @Test
    void oneWakeUpIsEnoughBecauseEachWorkerWakesTheNextWorker() throws InterruptedException {
        RequestQueue queue = new RequestQueue(1, 1);
        Taker first = new Taker(queue).awaitAsleep();
        Taker second = new Taker(queue).awaitAsleep();
        assertEquals(Offered.TAKEN, queue.offerOneOfMany(a));
        assertEquals(Offered.TAKEN, queue.offerOneOfMany(b));
        assertEquals(Offered.WAITS, queue.offerOneOfMany(c), "each of the two idle workers already has a request");
        assertEquals(Offered.FULL, queue.offerOneOfMany(new Named("d")));
        assertTrue(first.sleeps());
        assertTrue(second.sleeps());
        assertFalse(queue.withdraw(b), "a request that already has a worker cannot be withdrawn");
        queue.wakeChosen();
        assertEquals(Set.of(a, b), Set.of(first.taken(), second.taken()));
        assertSame(c, take(queue));
    }

    @Test
    void aRequeuedRequestAndTwoNewRequestsGetThreeWorkers() throws InterruptedException {
        RequestQueue queue = new RequestQueue(10, 1);
        Taker first = new Taker(queue).awaitAsleep();
        Taker second = new Taker(queue).awaitAsleep();
        Taker third = new Taker(queue).awaitAsleep();
        assertEquals(Offered.TAKEN, queue.offerOneOfMany(a));
        queue.giveWay(b);
        queue.offerOneOfMany(c);
        queue.wakeChosen();
        assertEquals(Set.of(a, b, c), Set.of(first.taken(), second.taken(), third.taken()));
    }

    @Test
    void continuationsOfOneRoundWakeNobodyBeforeItsEnd() throws InterruptedException {
        RequestQueue queue = new RequestQueue(10, 1);
        Mapping mapping = new Mapping("/a");
        QueuedJob one = new QueuedJob(mapping);
        QueuedJob two = new QueuedJob(mapping);
        Taker first = new Taker(queue).awaitAsleep();
        queue.resumeOneOfMany(one);
        queue.resumeOneOfMany(two);
        assertTrue(first.sleeps());
        queue.wakeChosen();
        assertSame(one, first.taken());
        assertSame(two, take(queue));
    }

    @Test
    void aStreamingRequestAboveTheLimitMustWaitAlthoughAWorkerIsIdle() throws InterruptedException {
        RequestQueue queue = new RequestQueue(10, 1);
        Named one = new Named("one", true);
        Named two = new Named("two", true);
        Taker first = new Taker(queue).awaitAsleep();
        Taker second = new Taker(queue).awaitAsleep();
        assertEquals(Offered.TAKEN, queue.offerOneOfMany(one));
        assertFalse(queue.beginStreaming(), "the accepted streaming request must use the only place");
        assertEquals(Offered.WAITS, queue.offerOneOfMany(two));
        assertEquals(Offered.TAKEN, queue.offerOneOfMany(a));
        queue.wakeChosen();
        assertEquals(Set.of(one, a), Set.of(first.taken(), second.taken()));
        assertFalse(queue.wantsWorkers());
        assertSame(two, takeNext(queue, one));
    }

    @Test
    void continuationsAreNeverRefusedAndRunBeforeRequests() {
        RequestQueue queue = new RequestQueue(1, 1);
        queue.offer(a);
        for (int i = 0; i < 1000; i++) {
            queue.resume(b);
        }
        assertEquals(1001, queue.size());
        for (int i = 0; i < 1000; i++) {
            assertSame(b, take(queue));
        }
        assertSame(a, take(queue));
        assertEquals(0, b.abandoned.get());
    }

    @Test
    void aRequeuedRequestIsAddedToTheEndOfTheQueueEvenIfTheQueueIsFull() {
        RequestQueue queue = new RequestQueue(1, 1);
        queue.offer(a);
        queue.giveWay(b);
        assertEquals(Offered.FULL, queue.offer(c));
        queue.resume(c);
        assertSame(c, take(queue));
        assertSame(a, take(queue));
        assertSame(b, take(queue));
        queue.close();
        queue.giveWay(b);
        assertEquals(1, b.abandoned.get());
    }

    @Test
    void aContinuationThatHasGivenWayRunsInTheOrderOfArrival() {
        AtomicLong time = new AtomicLong();
        RequestQueue queue = new RequestQueue(10, 1, 1, Duration.ZERO, 1, time::incrementAndGet);
        Mapping mapping = new Mapping("/a");
        QueuedJob early = new QueuedJob(mapping);
        QueuedJob later = new QueuedJob(mapping);
        QueuedJob late = new QueuedJob(mapping);
        QueuedJob continuation = new QueuedJob(mapping);
        queue.offer(early);
        assertTrue(queue.wantsWorkerOf(later), "a request of the same mapping waits");
        assertTrue(queue.resumeLater(later));
        queue.offer(late);
        queue.resume(continuation);
        assertEquals(4, queue.size());
        assertSame(
                later, take(queue), "it has waited longer than the continuation, which would go before all requests");
        assertSame(continuation, take(queue));
        assertSame(early, take(queue));
        assertSame(late, take(queue));
        assertFalse(queue.wantsWorkerOf(later));
        assertTrue(queue.resumeLater(later));
        queue.offer(late);
        assertSame(later, take(queue));
        queue.close();
        assertFalse(queue.resumeLater(later));
    }

    @Test
    void noWorkerGetsAWithdrawnRequest() {
        RequestQueue queue = new RequestQueue(3, 1);
        queue.offer(a);
        queue.offer(b);
        queue.offer(c);
        assertTrue(queue.withdraw(b));
        assertFalse(queue.withdraw(b));
        assertEquals(2, queue.size());
        assertEquals(Offered.WAITS, queue.offer(new Named("in its place")));
        assertSame(a, take(queue));
        assertFalse(queue.withdraw(a), "a request that a worker has taken cannot be withdrawn");
        assertSame(c, take(queue));
    }

    @Test
    void aStreamingRequestCanAlsoBeWithdrawn() {
        RequestQueue queue = new RequestQueue(3, 1);
        Named one = new Named("one", true);
        queue.offer(one);
        assertTrue(queue.withdraw(one));
        assertEquals(0, queue.size());
    }

    /** Workers run requests while the test withdraws requests. Each request must be run or withdrawn, but not both. */
    @Test
    void aRequestIsEitherRunOrWithdrawn() throws InterruptedException {
        RequestQueue queue = new RequestQueue(1000, 1);
        AtomicInteger ran = new AtomicInteger();
        Workers workers = new Workers(queue, 2, "", Rounds.unwatched());
        workers.start();
        int withdrawn = 0;
        for (int i = 0; i < 20_000; i++) {
            Job job = new Named("one") {
                @Override
                public void run() {
                    ran.incrementAndGet();
                }
            };
            assertNotEquals(Offered.FULL, queue.offer(job));
            if (queue.withdraw(job)) {
                withdrawn++;
            }
        }
        workers.stop(PATIENCE);
        assertEquals(20_000, ran.get() + withdrawn);
    }

    @Test
    void streamingRequestsUseOnlyALimitedNumberOfWorkers() throws InterruptedException {
        RequestQueue queue = new RequestQueue(10, 1);
        Named one = new Named("one", true);
        Named two = new Named("two", true);
        Taker first = new Taker(queue).awaitAsleep();
        Taker second = new Taker(queue).awaitAsleep();
        queue.offer(one);
        assertSame(one, second.taken());
        queue.offer(two);
        assertTrue(first.sleeps(), "the worker must sleep while the only place for streaming is in use");
        assertEquals(1, queue.size());
        queue.offer(a);
        assertSame(a, first.taken(), "a request without streaming must run");
        Taker third = new Taker(queue).awaitAsleep();
        assertSame(two, takeNext(queue, one));
        assertTrue(third.sleeps());
        assertEquals(0, queue.size());
    }

    @Test
    void theSecondStreamingRequestRunsWhenTheFirstStreamingRequestHasEnded() {
        RequestQueue queue = new RequestQueue(10, 1);
        Named one = new Named("one", true);
        Named two = new Named("two", true);
        queue.offer(one);
        queue.offer(two);
        queue.offer(a);
        assertSame(one, take(queue));
        assertSame(a, take(queue));
        assertSame(two, takeNext(queue, one));
    }

    @Test
    void aClosedQueueRefusesNewRequestsAndStillReturnsQueuedRequests() throws InterruptedException {
        RequestQueue queue = new RequestQueue(10, 1);
        Taker sleeper = new Taker(queue).awaitAsleep();
        queue.offer(a);
        assertSame(a, sleeper.taken());
        queue.offer(b);
        queue.close();
        assertEquals(Offered.FULL, queue.offer(c));
        queue.resume(c);
        assertEquals(1, c.abandoned.get());
        assertSame(b, take(queue));
        assertNull(take(queue));
    }

    @Test
    void everySleepingWorkerIsWokenByClose() throws InterruptedException {
        RequestQueue queue = new RequestQueue(10, 1);
        List<Taker> takers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            takers.add(new Taker(queue).awaitAsleep());
        }
        queue.close();
        for (Taker taker : takers) {
            assertEquals("none", taker.taken());
        }
    }

    @Test
    void aSleepingWorkerStillGetsAJobAfterAnInterrupt() throws InterruptedException {
        RequestQueue queue = new RequestQueue(10, 1);
        Taker taker = new Taker(queue).awaitAsleep();
        taker.thread.interrupt();
        queue.offer(a);
        assertSame(a, taker.taken());
    }

    /** A worker gets a job and an interrupt at the same time. The interrupt must not cause the loss of the job. */
    @Test
    void aWorkerTakesItsJobEvenIfAnInterruptArrivesAtTheSameTime() throws InterruptedException {
        for (int i = 0; i < 300; i++) {
            RequestQueue queue = new RequestQueue(10, 1);
            Taker taker = new Taker(queue).awaitAsleep();
            queue.offer(a);
            taker.thread.interrupt();
            assertSame(a, taker.taken(), "repetition " + i);
        }
    }

    /**
     * Three threads add streaming requests, other requests and continuations. Four workers run these jobs. Each accepted job must run
     * exactly once.
     */
    @Test
    void everyAcceptedJobRunsExactlyOnce() throws InterruptedException {
        RequestQueue queue = new RequestQueue(5, 2);
        AtomicInteger ran = new AtomicInteger();
        AtomicInteger streamingNow = new AtomicInteger();
        AtomicInteger worst = new AtomicInteger();
        class Counted implements Job {
            private final boolean streaming;

            Counted(boolean streaming) {
                this.streaming = streaming;
            }

            @Override
            public void run() {
                if (streaming) {
                    worst.accumulateAndGet(streamingNow.incrementAndGet(), Math::max);
                    streamingNow.decrementAndGet();
                }
                ran.incrementAndGet();
            }

            @Override
            public boolean isStreaming() {
                return streaming;
            }

            @Override
            public void abandon() {
                throw new AssertionError("abandoned");
            }
        }
        Workers workers = new Workers(queue, 4, "", Rounds.unwatched());
        workers.start();
        AtomicInteger accepted = new AtomicInteger();
        List<Thread> producers = new ArrayList<>();
        for (int p = 0; p < 3; p++) {
            int kind = p;
            Thread producer = new Thread(() -> {
                for (int i = 0; i < 20_000; i++) {
                    Job job = new Counted(kind == 0);
                    if (kind == 2) {
                        queue.resume(job);
                        accepted.incrementAndGet();
                    } else if (queue.offer(job) != Offered.FULL) {
                        accepted.incrementAndGet();
                    }
                }
            });
            producers.add(producer);
            producer.start();
        }
        for (Thread producer : producers) {
            producer.join();
        }
        workers.stop(PATIENCE);
        assertEquals(accepted.get(), ran.get());
        assertTrue(worst.get() <= 2, worst + " streaming requests ran at the same time; the limit is 2");
        assertEquals(0, queue.size());
    }

    @Test
    void aFailedJobLeavesNoInterruptForTheNextJob() throws InterruptedException {
        RequestQueue queue = new RequestQueue(10, 1);
        Workers workers = new Workers(queue, 1, "", Rounds.unwatched());
        workers.start();
        BlockingQueue<String> ran = new LinkedBlockingQueue<>();
        queue.resume(new Throwing());
        queue.resume(new Named("after") {
            @Override
            public void run() {
                ran.add(Thread.currentThread().isInterrupted() ? "interrupted" : "clean");
            }
        });
        assertEquals("clean", ran.poll(60, TimeUnit.SECONDS));
        workers.stop(PATIENCE);
    }

    /** RDF4J, for example, gives the thread the name of its repository. */
    /** If memory is exhausted, the sleep of a worker can end by an exception. The worker then looks for a job again. */
    @Test
    void aWorkerWhoseSleepHasFailedCountsOnceAndRunsItsNextJob() {
        RequestQueue queue = new RequestQueue(10, 1);
        IdleWorkers.Taker worker = new IdleWorkers.Taker(Thread.currentThread(), false, () -> {});
        assertNull(queue.ask(jobs -> jobs.nextOrSleep(worker)));
        assertNull(queue.ask(jobs -> jobs.nextOrSleep(worker)));
        assertEquals(1, queue.<Integer>ask(jobs -> jobs.workers.count()));
        Named job = new Named("job");
        queue.resume(job);
        assertSame(job, queue.take(worker));
        assertEquals(0, queue.<Integer>ask(jobs -> jobs.workers.count()));
    }

    @Test
    void aWorkerGetsItsNameBackAfterAJobHasChangedIt() throws InterruptedException {
        RequestQueue queue = new RequestQueue(10, 1);
        Workers workers = new Workers(queue, 1, "", Rounds.unwatched());
        workers.start();
        BlockingQueue<String> names = new LinkedBlockingQueue<>();
        for (int i = 0; i < 2; i++) {
            queue.resume(new Named("renames") {
                @Override
                public void run() {
                    names.add(Thread.currentThread().getName());
                    Thread.currentThread().setName("repositories/shop");
                }
            });
            assertEquals("worker-1", names.poll(60, TimeUnit.SECONDS));
        }
        workers.stop(PATIENCE);
    }

    private static final class Throwing implements Job {
        @Override
        public void run() {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("on purpose");
        }

        @Override
        public void abandon() {}
    }
}

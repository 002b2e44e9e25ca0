package io.penstock.work;

import static io.penstock.work.PlayedWorker.start;
import static io.penstock.work.PlayedWorker.takeFirst;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.work.RequestQueue.Offered;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the length of the queue during overload. A short burst of requests may fill the queue. If the queue is long for two seconds, the
 * queue drops old requests. Then it keeps only as many requests as the workers can begin soon.
 */
final class OverloadedQueueTest {
    private static final int CAPACITY = 1000;
    private static final int WORKERS = 4;
    private static final int MIN = 80;
    private static final int DROPPED_AT_ONCE = WaitingJobs.DROPPED_AT_ONCE;

    private long now;
    private final List<QueuedJob> requests = new ArrayList<>();
    private final RequestQueue queue = new RequestQueue(CAPACITY, 1, 1, Duration.ofSeconds(2), WORKERS, () -> now);

    /** The workers are busy: each has taken a job of the server. */
    @BeforeEach
    void startWorkers() {
        Runnable nobody = () -> {
            throw new AssertionError("all workers have been started");
        };
        queue.change(jobs -> jobs.workers.startWith(WORKERS, nobody, nobody));
        assertEquals(WORKERS, start(queue, WORKERS));
        for (int i = 0; i < WORKERS; i++) {
            queue.resume(new QueuedJob());
            assertNotNull(takeFirst(queue));
        }
    }

    private void elapse(int millis) {
        now += Duration.ofMillis(millis).toNanos();
    }

    private Offered offerRequest() {
        QueuedJob request = new QueuedJob();
        requests.add(request);
        return queue.offer(request);
    }

    private long outdated() {
        return requests.stream().filter(request -> request.outdated).count();
    }

    private void offerRequests(int count) {
        for (int i = 0; i < count; i++) {
            assertEquals(Offered.WAITS, offerRequest());
        }
    }

    private void take(int requests) {
        for (int i = 0; i < requests; i++) {
            assertNotNull(PlayedWorker.take(queue));
        }
    }

    @Test
    void aShortBurstOfRequestsCanFillTheQueueAndNoRequestIsDropped() {
        offerRequests(CAPACITY);
        assertEquals(Offered.FULL, offerRequest());
        elapse(1900);
        take(CAPACITY);
        elapse(1900);
        offerRequests(CAPACITY);
        assertEquals(0, outdated());
    }

    @Test
    void oldRequestsAreDroppedAndNewRequestsAreRefusedIfTheQueueStaysLong() {
        offerRequests(500);
        elapse(2000);
        assertEquals(Offered.OVERLOADED, offerRequest());
        assertEquals(DROPPED_AT_ONCE, outdated(), "the number of requests dropped when one request is offered");
        assertTrue(requests.get(0).outdated, "the oldest request must be dropped first");
        offerRequestsUntilTheQueueIsShort();
        assertEquals(500 - MIN, outdated());
        take(1);
        assertEquals(Offered.WAITS, offerRequest());
        assertEquals(Offered.OVERLOADED, offerRequest());
    }

    @Test
    void anEmptyQueueAcceptsABurstOfRequestsAfterAnOverload() {
        offerRequests(500);
        elapse(2000);
        offerRequestsUntilTheQueueIsShort();
        take(MIN);
        offerRequests(CAPACITY);
        elapse(1000);
        assertEquals(Offered.FULL, offerRequest());
    }

    private void offerRequestsUntilTheQueueIsShort() {
        for (int offers = 0; offers < 500 / DROPPED_AT_ONCE && queue.size() > MIN; offers++) {
            assertEquals(Offered.OVERLOADED, offerRequest());
        }
        assertEquals(MIN, queue.size());
    }

    @Test
    void noRequestIsDroppedFromALongQueueIfTheWorkersAreFast() {
        offerRequests(10);
        for (int i = 0; i < 50; i++) { // 2000 requests per second during five seconds; the queue is never empty
            elapse(100);
            offerRequests(200);
            take(200);
        }
        offerRequests(700);
        assertEquals(0, outdated(), "no request may be dropped: the workers can begin all 710 within 400 ms");
    }

    @Test
    void aRequestThatIsRequeuedIntoAFullQueueCausesNoOverload() {
        offerRequests(CAPACITY);
        queue.giveWay(new QueuedJob());
        elapse(100);
        assertEquals(Offered.FULL, offerRequest());
        assertEquals(CAPACITY + 1, queue.size());
        assertEquals(0, outdated());
    }

    @Test
    void waitingStreamingRequestsDoNotCauseAnOverload() {
        queue.beginStreaming(); // This call takes the only place for streaming requests, so such requests wait.
        for (int i = 0; i < 500; i++) {
            queue.offer(new QueuedJob(null, null, true));
        }
        elapse(60_000);
        offerRequests(CAPACITY);
        assertEquals(0, outdated());
    }

    /** Workers beyond those that the processors can run make calls that compute slower, so they do not allow a longer queue. */
    @Test
    void whileCallsComputeOnlyTheWorkersThatTheProcessorsCanRunCount() {
        int most = 240;
        int started = 32;
        RequestQueue computing = new RequestQueue(CAPACITY, 1, 1, Duration.ofSeconds(2), most, () -> now);
        computing.change(jobs -> jobs.workers.startWith(most, () -> {}, () -> {}));
        assertEquals(started, start(computing, started));
        Mapping mapping = new Mapping("/compute");
        for (int i = 0; i < 600; i++) {
            computing.offer(new QueuedJob(mapping));
        }
        for (int i = 0; i < started; i++) {
            assertNotNull(takeFirst(computing));
        }
        elapse(2000);
        assertEquals(Offered.WAITS, computing.offer(new QueuedJob(mapping)), "the calls may wait for something");
        computing.change(jobs -> jobs.workers.growthRefused = true);
        for (int offers = 0; offers < 600; offers++) {
            computing.offer(new QueuedJob(mapping));
        }
        assertEquals(20 * IdleWorkers.USEFUL, computing.size());
    }

    /** A virtual thread that was woken does not run while others compute: they do not give back their carriers. */
    @Test
    void workersThatAreIdleForLongAlthoughRequestsWaitDoNotAllowALongerQueue() {
        int most = 10_000;
        int started = 8;
        RequestQueue computing = new RequestQueue(CAPACITY, 1, 1, Duration.ofSeconds(2), most, () -> now);
        computing.change(jobs -> jobs.workers.startWith(most, () -> {}, () -> {}));
        assertEquals(started, start(computing, started));
        Mapping mapping = new Mapping("/compute");
        for (int i = 0; i < 600; i++) {
            computing.offer(new QueuedJob(mapping));
        }
        assertNotNull(takeFirst(computing));
        elapse(2000);
        for (int offers = 0; offers < 600; offers++) {
            computing.offer(new QueuedJob(mapping));
        }
        int next = started - 1; // the jobs of the workers that were woken
        assertEquals(20 * started, computing.size() - next);
    }
}

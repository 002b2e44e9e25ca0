package io.penstock.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

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
    private static final int LEAST = 80;
    private static final int DROPPED_AT_ONCE = RequestQueue.DROPPED_AT_ONCE;

    private long now;
    private int came;
    private final List<Integer> outdated = new ArrayList<>();
    private final RequestQueue queue = new RequestQueue(CAPACITY, 1, 1, Duration.ofSeconds(2), WORKERS, () -> now);

    /** The workers are busy: each has taken a job of the server. */
    @BeforeEach
    void startWorkers() {
        queue.startWith(new NoMoreWorkers(), WORKERS);
        assertEquals(WORKERS, queue.starts(WORKERS));
        for (int i = 0; i < WORKERS; i++) {
            queue.resume(new Request());
            assertNotNull(queue.take(true));
        }
        came = 0;
    }

    private static final class NoMoreWorkers implements RequestQueue.Starter {
        @Override
        public void startOne() {
            throw new AssertionError("all workers have been started");
        }

        @Override
        public void grow() {
            throw new AssertionError("all workers have been started");
        }
    }

    private class Request implements Job {
        private final int number = came++;

        @Override
        public void run() {}

        @Override
        public void abandon() {
            throw new AssertionError("the queue must not abandon requests");
        }

        @Override
        public void outdated() {
            outdated.add(number);
        }
    }

    private void elapse(int millis) {
        now += Duration.ofMillis(millis).toNanos();
    }

    private Offered offerRequest() {
        return queue.offer(new Request());
    }

    private void offerRequests(int requests) {
        for (int i = 0; i < requests; i++) {
            assertEquals(Offered.WAITS, offerRequest());
        }
    }

    private void take(int requests) {
        for (int i = 0; i < requests; i++) {
            assertNotNull(queue.take());
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
        assertEquals(List.of(), outdated);
    }

    @Test
    void oldRequestsAreDroppedAndNewRequestsAreRefusedIfTheQueueStaysLong() {
        offerRequests(500);
        elapse(2000);
        assertEquals(Offered.OVERLOADED, offerRequest());
        assertEquals(DROPPED_AT_ONCE, outdated.size(), "the number of requests dropped when one request is offered");
        assertEquals(0, outdated.get(0), "the oldest request must be dropped first");
        offerRequestsUntilTheQueueIsShort();
        assertEquals(500 - LEAST, outdated.size());
        take(1);
        assertEquals(Offered.WAITS, offerRequest());
        assertEquals(Offered.OVERLOADED, offerRequest());
    }

    @Test
    void anEmptyQueueAcceptsABurstOfRequestsAfterAnOverload() {
        offerRequests(500);
        elapse(2000);
        offerRequestsUntilTheQueueIsShort();
        take(LEAST);
        offerRequests(CAPACITY);
        elapse(1000);
        assertEquals(Offered.FULL, offerRequest());
    }

    private void offerRequestsUntilTheQueueIsShort() {
        for (int offers = 0; offers < 500 / DROPPED_AT_ONCE && queue.size() > LEAST; offers++) {
            assertEquals(Offered.OVERLOADED, offerRequest());
        }
        assertEquals(LEAST, queue.size());
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
        assertEquals(List.of(), outdated, "no request may be dropped: the workers can begin all 710 within 400 ms");
    }

    @Test
    void aRequestThatIsRequeuedIntoAFullQueueCausesNoOverload() {
        offerRequests(CAPACITY);
        queue.giveWay(new Request());
        elapse(100);
        assertEquals(Offered.FULL, offerRequest());
        assertEquals(CAPACITY + 1, queue.size());
        assertEquals(List.of(), outdated);
    }

    @Test
    void waitingStreamingRequestsDoNotCauseAnOverload() {
        queue.beginStreaming(); // This call takes the only place for streaming requests, so such requests wait.
        for (int i = 0; i < 500; i++) {
            queue.offer(new Request() {
                @Override
                public boolean isStreaming() {
                    return true;
                }
            });
        }
        elapse(60_000);
        offerRequests(CAPACITY);
        assertEquals(List.of(), outdated);
    }
}

package io.penstock.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.penstock.work.RequestQueue.Offered;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests the length of the queue. A short burst can fill the queue. If the queue stays long, it keeps only the requests that the workers can
 * begin soon.
 */
final class StandingQueueTest {
    private static final int CAPACITY = 1000;
    private static final int WORKERS = 4;
    private static final int LEAST = 80;
    private static final int DROPPED_AT_ONCE = RequestQueue.DROPPED_AT_ONCE;

    private long now;
    private int came;
    private final List<Integer> outdated = new ArrayList<>();
    private final RequestQueue queue =
            new RequestQueue(CAPACITY, 1, new Overload(Duration.ofSeconds(2), WORKERS), () -> now);

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

    private Offered come() {
        return queue.offer(new Request());
    }

    private void come(int requests) {
        for (int i = 0; i < requests; i++) {
            assertEquals(Offered.WAITS, come());
        }
    }

    private void take(int requests) {
        for (int i = 0; i < requests; i++) {
            assertNotNull(queue.take());
        }
    }

    @Test
    void aShortBurstCanFillTheQueueAndIsServed() {
        come(CAPACITY);
        assertEquals(Offered.FULL, come());
        elapse(1900);
        take(CAPACITY);
        elapse(1900);
        come(CAPACITY);
        assertEquals(List.of(), outdated);
    }

    @Test
    void aQueueThatStaysLongDropsOldRequestsAndRefusesNewOnesUntilItIsShort() {
        come(500);
        elapse(2000);
        assertEquals(Offered.OVERLOADED, come());
        assertEquals(DROPPED_AT_ONCE, outdated.size(), "the queue must drop only a few requests at once");
        assertEquals(0, outdated.get(0), "the oldest request must be dropped first");
        untilItIsShort();
        assertEquals(500 - LEAST, outdated.size());
        take(1);
        assertEquals(Offered.WAITS, come());
        assertEquals(Offered.OVERLOADED, come());
    }

    @Test
    void theQueueAcceptsABurstAgainAfterItHasBeenEmpty() {
        come(500);
        elapse(2000);
        untilItIsShort();
        take(LEAST);
        come(CAPACITY);
        elapse(1000);
        assertEquals(Offered.FULL, come());
    }

    private void untilItIsShort() {
        for (int offers = 0; offers < 500 / DROPPED_AT_ONCE && queue.size() > LEAST; offers++) {
            assertEquals(Offered.OVERLOADED, come());
        }
        assertEquals(LEAST, queue.size());
    }

    @Test
    void aLongQueueIsAllowedIfTheWorkersAreFast() {
        come(10);
        for (int i = 0; i < 50; i++) { // for five seconds 2000 requests a second, and the queue is never empty
            elapse(100);
            come(200);
            take(200);
        }
        come(700);
        assertEquals(List.of(), outdated, "no request may be dropped: all 710 begin within 400 ms");
    }

    @Test
    void requestsBeyondTheCapacityDoNotCountAsOverload() {
        come(CAPACITY);
        queue.giveWay(new Request());
        elapse(100);
        assertEquals(Offered.FULL, come());
        assertEquals(CAPACITY + 1, queue.size());
        assertEquals(List.of(), outdated);
    }

    @Test
    void waitingStreamingRequestsDoNotCountAsOverload() {
        queue.beginStreaming(); // the only request that can stream
        for (int i = 0; i < 500; i++) {
            queue.offer(new Request() {
                @Override
                public boolean isStreaming() {
                    return true;
                }
            });
        }
        elapse(60_000);
        come(CAPACITY);
        assertEquals(List.of(), outdated);
    }
}

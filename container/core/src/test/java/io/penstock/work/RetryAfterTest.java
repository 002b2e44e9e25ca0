package io.penstock.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Tests the value of {@code Retry-After} in an overload. The value is the time that the workers need for the queued requests, at the rate
 * of the last seconds.
 */
final class RetryAfterTest {
    private static final class Request implements Job {
        @Override
        public void run() {}

        @Override
        public void abandon() {}
    }

    private long now;
    private final RequestQueue queue = new RequestQueue(1000, 1, new Overload(Duration.ZERO, 0), () -> now);

    private void elapse(Duration time) {
        now += time.toNanos();
    }

    private void come(int requests) {
        for (int i = 0; i < requests; i++) {
            queue.offer(new Request());
        }
    }

    private void take(int requests) {
        for (int i = 0; i < requests; i++) {
            assertNotNull(queue.take());
        }
    }

    /** Simulates that {@code perSecond} requests arrive and are taken in each second. */
    private void busy(int seconds, int perSecond) {
        for (int i = 0; i < seconds * 10; i++) {
            come(perSecond / 10);
            take(perSecond / 10);
            elapse(Duration.ofMillis(100));
        }
    }

    @Test
    void theTimeForAnEmptyQueueIsOneSecond() {
        assertEquals(1, queue.secondsToEmpty());
    }

    @Test
    void theTimeIsTheNumberOfQueuedRequestsDividedByTheRate() {
        come(100);
        busy(3, 20);
        assertEquals(5, queue.secondsToEmpty());
    }

    @Test
    void theTimeFollowsTheRateOfTheLastSeconds() {
        come(100);
        busy(10, 100);
        assertEquals(1, queue.secondsToEmpty());
        busy(5, 10);
        assertEquals(10, queue.secondsToEmpty());
    }

    @Test
    void theTimeForABlockedQueueIsAtMostAMinute() {
        come(10);
        elapse(Duration.ofSeconds(2));
        assertEquals(20, queue.secondsToEmpty());
        come(990);
        elapse(Duration.ofSeconds(2));
        assertEquals(60, queue.secondsToEmpty());
    }

    @Test
    void idleTimeDoesNotChangeTheRate() {
        busy(2, 100);
        elapse(Duration.ofHours(1));
        come(50);
        elapse(Duration.ofMillis(500));
        take(10);
        assertEquals(2, queue.secondsToEmpty());
    }
}

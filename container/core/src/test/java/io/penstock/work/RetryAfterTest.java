package io.penstock.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Tests the value of the field {@code Retry-After} when the server is overloaded. The value is the number of queued requests divided by the
 * rate at which the workers have taken requests in the last seconds.
 */
final class RetryAfterTest {
    private long now;
    private final RequestQueue queue = new RequestQueue(1000, 1, 1, Duration.ZERO, 0, () -> now);

    private void elapse(Duration time) {
        now += time.toNanos();
    }

    private void arrive(int requests) {
        for (int i = 0; i < requests; i++) {
            queue.offer(new QueuedJob());
        }
    }

    private void take(int requests) {
        for (int i = 0; i < requests; i++) {
            assertNotNull(PlayedWorker.take(queue));
        }
    }

    /** Simulates some seconds. In each second, {@code perSecond} requests arrive, and the workers take the same number. */
    private void busy(int seconds, int perSecond) {
        for (int i = 0; i < seconds * 10; i++) {
            arrive(perSecond / 10);
            take(perSecond / 10);
            elapse(Duration.ofMillis(100));
        }
    }

    @Test
    void theValueForAnEmptyQueueIsOneSecond() {
        assertEquals(1, queue.secondsToEmpty());
    }

    @Test
    void theValueIsTheNumberOfQueuedRequestsDividedByTheRate() {
        arrive(100);
        busy(3, 20);
        assertEquals(5, queue.secondsToEmpty());
    }

    @Test
    void theValueDependsOnTheRateOfTheLastSeconds() {
        arrive(100);
        busy(10, 100);
        assertEquals(1, queue.secondsToEmpty());
        busy(5, 10);
        assertEquals(10, queue.secondsToEmpty());
    }

    @Test
    void theValueForABlockedQueueIsAtMostOneMinute() {
        arrive(10);
        elapse(Duration.ofSeconds(2));
        assertEquals(20, queue.secondsToEmpty());
        arrive(990);
        elapse(Duration.ofSeconds(2));
        assertEquals(60, queue.secondsToEmpty());
    }

    @Test
    void anIdleHourDoesNotChangeTheRate() {
        busy(2, 100);
        elapse(Duration.ofHours(1));
        arrive(50);
        elapse(Duration.ofMillis(500));
        take(10);
        assertEquals(2, queue.secondsToEmpty());
    }
}

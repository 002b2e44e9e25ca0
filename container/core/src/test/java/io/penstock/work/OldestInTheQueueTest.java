package io.penstock.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Tests {@link RequestQueue#oldestNanos}: the waiting time of the oldest job. The jobs wait in several lines, for example in a line of
 * streaming requests.
 */
final class OldestInTheQueueTest {
    private long now = 5;
    private final RequestQueue queue = new RequestQueue(100, 1, 1, Duration.ZERO, 0, () -> now);

    /** A waiting request, or a waiting continuation (the next part of an asynchronous request). */
    private record Waiting(boolean isStreaming) implements Job {
        @Override
        public void run() {}

        @Override
        public void abandon() {}
    }

    @Test
    void oldestNanosIsZeroForAnEmptyQueue() {
        assertEquals(0, queue.oldestNanos());
    }

    @Test
    void oldestNanosIsTheWaitingTimeOfTheRequestThatArrivedFirst() {
        queue.offer(new Waiting(false));
        now += 30;
        queue.offer(new Waiting(false));
        now += 12;
        assertEquals(42, queue.oldestNanos());
        assertNotNull(queue.take());
        assertEquals(12, queue.oldestNanos());
        assertNotNull(queue.take());
        assertEquals(0, queue.oldestNanos());
    }

    @Test
    void oldestNanosIncludesTheJobsOfAllLines() {
        queue.offer(new Waiting(false));
        now += 1;
        queue.resume(new Waiting(false));
        now += 1;
        assertTrue(queue.beginStreaming());
        queue.offer(new Waiting(true)); // waits for the end of the running streaming job
        now += 1;
        assertEquals(3, queue.oldestNanos());
        assertNotNull(queue.take()); // takes the continuation
        assertEquals(3, queue.oldestNanos());
        assertNotNull(queue.take()); // takes the request
        assertEquals(1, queue.oldestNanos());
    }

    @Test
    void oldestNanosIgnoresAWithdrawnRequest() {
        Job first = new Waiting(false);
        queue.offer(first);
        now += 10;
        queue.offer(new Job() {
            @Override
            public void run() {}

            @Override
            public void abandon() {}
        });
        now += 10;
        assertTrue(queue.withdraw(first));
        assertEquals(10, queue.oldestNanos());
        assertEquals(1, queue.size());
    }
}

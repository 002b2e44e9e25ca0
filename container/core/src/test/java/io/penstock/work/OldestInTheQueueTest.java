package io.penstock.work;

import static io.penstock.work.PlayedWorker.take;
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

    private static QueuedJob streaming() {
        return new QueuedJob(null, null, true);
    }

    @Test
    void oldestNanosIsZeroForAnEmptyQueue() {
        assertEquals(0, queue.oldestNanos());
    }

    @Test
    void oldestNanosIsTheWaitingTimeOfTheRequestThatArrivedFirst() {
        queue.offer(new QueuedJob());
        now += 30;
        queue.offer(new QueuedJob());
        now += 12;
        assertEquals(42, queue.oldestNanos());
        assertNotNull(take(queue));
        assertEquals(12, queue.oldestNanos());
        assertNotNull(take(queue));
        assertEquals(0, queue.oldestNanos());
    }

    @Test
    void oldestNanosIncludesTheJobsOfAllLines() {
        queue.offer(new QueuedJob());
        now += 1;
        queue.resume(new QueuedJob());
        now += 1;
        assertTrue(queue.beginStreaming());
        queue.offer(streaming()); // waits for the end of the running streaming job
        now += 1;
        assertEquals(3, queue.oldestNanos());
        assertNotNull(take(queue)); // takes the continuation
        assertEquals(3, queue.oldestNanos());
        assertNotNull(take(queue)); // takes the request
        assertEquals(1, queue.oldestNanos());
    }

    @Test
    void oldestNanosIgnoresAWithdrawnRequest() {
        Job first = new QueuedJob();
        queue.offer(first);
        now += 10;
        queue.offer(new QueuedJob());
        now += 10;
        assertTrue(queue.withdraw(first));
        assertEquals(10, queue.oldestNanos());
        assertEquals(1, queue.size());
    }
}

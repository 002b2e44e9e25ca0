package io.penstock.server;

import io.penstock.time.Saturated;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The wait of a thread in {@code drain}, until no request is running. A thread that suspends or stops the server ends this wait. Otherwise
 * the thread would continue to wait when the server listens again.
 *
 * <p>Thread: one thread waits, any thread can end the wait.
 */
final class Drain {
    private final CountDownLatch over = new CountDownLatch(1);

    /** Waits for a time, or until the wait is over; returns whether the wait is over. */
    boolean awaitOver(Duration time) throws InterruptedException {
        // Waits for the thread that suspends or stops the server.
        return over.await(Saturated.nanos(time), TimeUnit.NANOSECONDS);
    }

    boolean isOver() {
        return over.getCount() == 0;
    }

    void end() {
        // Wakes the thread that waits in awaitOver().
        over.countDown();
    }
}

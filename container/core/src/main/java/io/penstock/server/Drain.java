package io.penstock.server;

import io.penstock.time.Saturated;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The wait of one thread for the remaining requests. The thread that suspends or stops the server ends this wait. Otherwise the wait
 * would continue in a server that listens again.
 *
 * <p>Thread: one thread waits, any thread may end the wait.
 */
final class Drain {
    private final CountDownLatch over = new CountDownLatch(1);

    /** Waits for a time, or until the wait is over; returns whether the wait is over. */
    boolean awaitOver(Duration time) throws InterruptedException {
        return over.await(
                Saturated.nanos(time), TimeUnit.NANOSECONDS); // for the thread that suspends or stops the server
    }

    boolean isOver() {
        return over.getCount() == 0;
    }

    void end() {
        over.countDown(); // the draining thread: the server is no longer drained
    }
}

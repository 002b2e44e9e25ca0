package io.penstock.server;

import io.penstock.time.Saturated;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The wait of a thread in {@link Server#drain}, until no request is running. Another thread that suspends or stops the server ends this
 * wait. Otherwise the waiting thread would continue to wait when the server listens again.
 *
 * <p>Thread: one thread waits, any thread can end the wait.
 */
final class Drain {
    private final CountDownLatch over = new CountDownLatch(1);

    /** Waits until {@link #end} is called, for at most {@code time}. Returns whether {@code end} has been called. */
    boolean awaitOver(Duration time) throws InterruptedException {
        // Waits for the thread that suspends or stops the server.
        return over.await(Saturated.nanos(time), TimeUnit.NANOSECONDS);
    }

    boolean isOver() {
        return over.getCount() == 0;
    }

    void end() {
        // The drain is over. Wakes the thread that waits in awaitOver().
        over.countDown();
    }
}

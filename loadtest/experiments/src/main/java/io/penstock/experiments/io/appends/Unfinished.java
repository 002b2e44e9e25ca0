package io.penstock.experiments.io.appends;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The number of writes that have been accepted and are not complete.
 *
 * <p>Thread: always the same thread counts up and waits; any thread counts down.
 */
final class Unfinished {
    private final AtomicLong writes = new AtomicLong();
    private volatile @Nullable Thread waiting;

    void one() {
        writes.incrementAndGet();
    }

    void oneLess() {
        if (writes.decrementAndGet() == 0) {
            // All writes are complete. If the closing thread is already waiting, wakes it.
            LockSupport.unpark(waiting);
        }
    }

    void awaitNone() throws InterruptedException {
        waiting = Thread.currentThread();
        // The completion of the last write wakes this thread. If the number is already zero after "waiting" has been
        // set, the thread does not wait at all.
        while (writes.get() > 0) {
            LockSupport.park(this);
            if (Thread.interrupted()) {
                throw new InterruptedException("told to end");
            }
        }
    }
}

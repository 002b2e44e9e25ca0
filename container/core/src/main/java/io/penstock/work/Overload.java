package io.penstock.work;

import io.penstock.time.Saturated;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Distinguishes a burst, which the queue absorbs, from overload. If the queue has not been empty for a while, more requests arrive than the
 * workers can serve, and all answers are late. From then on the queue may hold only as many requests as the workers take in {@link
 * #MOMENT}, until it has been empty once.
 *
 * <p>Thread: the holder of the queue's lock.
 */
final class Overload {
    /** Time to serve the queue of an overloaded server. It is short, so that the server recovers soon after the rush. */
    private static final long MOMENT = TimeUnit.MILLISECONDS.toNanos(400);

    /** Requests that may wait for each worker even under overload, since calls may take long. */
    private static final int FOR_EACH_WORKER = 20;

    private final long after;
    private final int least;
    private long since;

    /**
     * @param after how long the queue may be non-empty without a break; zero for no limit
     * @param workers the number of workers
     */
    Overload(Duration after, int workers) {
        this.after = after.isZero() ? Long.MAX_VALUE : Saturated.nanos(after);
        this.least = FOR_EACH_WORKER * workers;
    }

    /** A request waits in a queue that was empty. */
    void begins(long now) {
        since = now;
    }

    /** How many requests may wait now. */
    int most(long now, QueueSpeed speed) {
        return now - since < after ? Integer.MAX_VALUE : Math.max(least, speed.takenIn(MOMENT, now));
    }
}

package io.penstock.work;

import io.penstock.time.Saturated;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Distinguishes overload from a short burst of requests. The server is overloaded when the line of new requests ({@link RequestQueue}) has
 * contained requests without a break for a configured time. In this case, more requests arrive than the workers can serve, and all
 * responses are late. During overload, the length of the line is limited to the number of requests that the workers take in {@link
 * #MOMENT}. The overload ends when the line is empty.
 *
 * <p>Thread: the holder of the queue's lock.
 */
final class Overload {
    /**
     * The time in which the workers must be able to take all waiting requests during overload. With a short time, the server recovers soon
     * after the overload.
     */
    private static final long MOMENT = TimeUnit.MILLISECONDS.toNanos(400);

    /**
     * During overload, at least this number of requests may wait for each worker. Slow requests need this minimum, since workers take few
     * of them in {@link #MOMENT}.
     */
    private static final int FOR_EACH_WORKER = 20;

    private final long after;
    private long since;

    /**
     * @param after how long the line of requests may be non-empty without a break; zero for no limit
     */
    Overload(Duration after) {
        this.after = after.isZero() ? Long.MAX_VALUE : Saturated.nanos(after);
    }

    /** The line of requests was empty, and a request is added now. */
    void begins(long now) {
        since = now;
    }

    /**
     * The largest number of requests that may wait now.
     *
     * @param workers the number of workers that have been started
     */
    int most(long now, QueueSpeed speed, int workers) {
        return now - since < after
                ? Integer.MAX_VALUE
                : Math.max(FOR_EACH_WORKER * workers, speed.takenIn(MOMENT, now));
    }
}

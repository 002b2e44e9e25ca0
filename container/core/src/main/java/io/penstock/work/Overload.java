package io.penstock.work;

import io.penstock.time.Saturated;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Tells a burst, which the queue is there for, from more work than the workers can do. A queue that has not been empty for a while is not on
 * its way to be: whoever waits in it is answered late, and so is everybody behind him. From then on, until it has been empty once, it may
 * hold only what the workers take in a moment.
 *
 * <p>Thread: whoever holds the queue's lock.
 */
final class Overload {
    /** In which a queue of that length is worked off, so that the server is itself again soon after the rush. */
    private static final long MOMENT = TimeUnit.MILLISECONDS.toNanos(400);

    /** Where a call takes longer than a moment, a few for each worker are not yet too many. */
    private static final int FOR_EACH_WORKER = 20;

    private final long after;
    private final int least;
    private long since;

    /**
     * @param after how long requests may wait without a break; zero for as long as they like
     * @param workers how many take from the queue
     */
    Overload(Duration after, int workers) {
        this.after = after.isZero() ? Long.MAX_VALUE : Saturated.nanos(after);
        this.least = FOR_EACH_WORKER * workers;
    }

    /** A request comes to wait, and none has waited until now. */
    void begins(long now) {
        since = now;
    }

    /** How many requests may wait now. */
    int most(long now, QueueSpeed speed) {
        return now - since < after ? Integer.MAX_VALUE : Math.max(least, speed.takenIn(MOMENT, now));
    }
}

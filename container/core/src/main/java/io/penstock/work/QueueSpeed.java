package io.penstock.work;

import io.penstock.time.Clock;
import java.util.concurrent.TimeUnit;

/**
 * Measures how fast workers take requests from the queue, for the {@code Retry-After} of refused clients.
 *
 * <p>It keeps two samples of the number of requests taken, a second or more apart while requests wait. The speed is measured since the
 * older sample. Samples older than a few seconds are dropped.
 *
 * <p>Thread: the holder of the queue's lock.
 */
final class QueueSpeed {
    private static final long WINDOW = TimeUnit.SECONDS.toNanos(1);
    private static final long FORGOTTEN = TimeUnit.SECONDS.toNanos(5);
    private static final double SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int LEAST = 1;
    private static final int MOST = 60;

    private final Clock clock;
    private long taken;
    private Look older;
    private Look newer;

    /** A sample: the number of requests taken until a moment. */
    private record Look(long at, long taken) {}

    QueueSpeed(Clock clock) {
        this.clock = clock;
        this.newer = new Look(clock.nanos(), 0);
        this.older = newer;
    }

    /** A worker has taken a request. */
    void took() {
        taken++;
    }

    /** A request waits: takes a sample if it is time. */
    void look(long now) {
        long since = now - newer.at();
        if (since >= WINDOW) {
            Look before = newer;
            newer = new Look(now, taken);
            older = since > FORGOTTEN ? newer : before;
        }
    }

    /** Seconds until as many requests as {@code waiting} will have been taken; at least 1, at most 60. */
    int secondsFor(int waiting) {
        long now = clock.nanos();
        look(now);
        long passed = now - older.at();
        // If no request has been taken yet, assume one.
        long count = Math.max(1, taken - older.taken());
        double seconds = waiting * (passed / SECOND) / count;
        return (int) Math.max(LEAST, Math.min(MOST, Math.ceil(seconds)));
    }

    /** How many requests are taken in {@code nanos} nanoseconds, at the present speed. */
    int takenIn(long nanos, long now) {
        look(now);
        double share = (double) nanos / Math.max(1, now - older.at());
        return (int) Math.min(Integer.MAX_VALUE, share * (taken - older.taken()));
    }
}

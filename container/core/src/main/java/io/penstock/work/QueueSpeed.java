package io.penstock.work;

import io.penstock.time.Clock;
import java.util.concurrent.TimeUnit;

/**
 * Measures how fast workers take requests from the queue. The speed is used for the field {@code Retry-After} of refused requests, and by
 * {@link Overload}.
 *
 * <p>A sample is the total number of requests that workers have taken until one moment. This class keeps two samples, which are at least
 * one second apart. The speed is the number of requests taken since the older sample, divided by the time since that sample. If no sample
 * was taken for more than {@link #FORGOTTEN}, the earlier samples are dropped.
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

    /** A sample: the total number of requests taken until the moment {@code at}. */
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

    /** A request begins to wait. Takes a sample if the last sample is older than {@link #WINDOW}. */
    void look(long now) {
        long since = now - newer.at();
        if (since >= WINDOW) {
            Look before = newer;
            newer = new Look(now, taken);
            older = since > FORGOTTEN ? newer : before;
        }
    }

    /** Estimates the number of seconds in which workers take {@code waiting} requests. The result is at least 1 and at most 60. */
    int secondsFor(int waiting) {
        long now = clock.nanos();
        look(now);
        long passed = now - older.at();
        // If no request has been taken since the older sample, assume that one request has been taken.
        long count = Math.max(1, taken - older.taken());
        double seconds = waiting * (passed / SECOND) / count;
        return (int) Math.max(LEAST, Math.min(MOST, Math.ceil(seconds)));
    }

    /** The number of requests that workers take in {@code nanos} nanoseconds at the current speed. */
    int takenIn(long nanos, long now) {
        look(now);
        double share = (double) nanos / Math.max(1, now - older.at());
        return (int) Math.min(Integer.MAX_VALUE, share * (taken - older.taken()));
    }
}

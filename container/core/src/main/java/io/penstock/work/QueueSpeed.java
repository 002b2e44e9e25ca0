package io.penstock.work;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Measures how fast workers take requests from the queue. The speed is used for the field {@code Retry-After} of refused requests, and to detect overload.
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

    private long taken;
    private @Nullable Look older;
    private @Nullable Look newer;

    /** A sample: the total number of requests taken until the moment {@code at}. */
    private record Look(long at, long taken) {}

    /** A worker has taken a request. */
    void took() {
        taken++;
    }

    /** A request begins to wait. Takes a sample if the last sample is older than {@link #WINDOW}. */
    void look(long now) {
        Look last = newer;
        if (last == null) {
            newer = new Look(now, taken);
            older = newer;
            return;
        }
        long since = now - last.at();
        if (since >= WINDOW) {
            newer = new Look(now, taken);
            older = since > FORGOTTEN ? newer : last;
        }
    }

    /** Estimates the number of seconds in which workers take {@code waiting} requests. The result is at least 1 and at most 60. */
    int secondsFor(int waiting, long now) {
        look(now);
        Look from = Objects.requireNonNull(older);
        long passed = now - from.at();
        // If no request has been taken since the older sample, assume that one request has been taken.
        long count = Math.max(1, taken - from.taken());
        double seconds = waiting * (passed / SECOND) / count;
        return (int) Math.max(LEAST, Math.min(MOST, Math.ceil(seconds)));
    }

    /** The number of requests that workers take in {@code nanos} nanoseconds at the current speed. */
    int takenIn(long nanos, long now) {
        look(now);
        Look from = Objects.requireNonNull(older);
        double share = (double) nanos / Math.max(1, now - from.at());
        return (int) Math.min(Integer.MAX_VALUE, share * (taken - from.taken()));
    }
}

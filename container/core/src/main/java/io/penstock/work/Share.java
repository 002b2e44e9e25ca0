package io.penstock.work;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that are counted together: how many run, how many wait, and how fast workers take them. The speed is used for the field {@code
 * Retry-After} of refused requests, and to detect overload.
 *
 * <p>A sample is the total number of jobs that workers have taken until one moment. This class keeps two samples, which are at least one
 * second apart. The speed is the number of jobs taken since the older sample, divided by the time since that sample. If no sample was taken
 * for more than {@link #FORGOTTEN}, the earlier samples are dropped.
 *
 * <p>Thread: the holder of the queue's lock. Any thread may call the constructor, {@link #running} and {@link #waiting}.
 */
public class Share {
    private static final long WINDOW = TimeUnit.SECONDS.toNanos(1);
    private static final long FORGOTTEN = TimeUnit.SECONDS.toNanos(5);
    private static final double SECOND = TimeUnit.SECONDS.toNanos(1);

    /** See {@link #running()}. Changed only by {@link #runs}. */
    volatile int running;

    private volatile int waiting;

    /** How many more of these jobs may run, while the queue counts which jobs could run. */
    int left;

    private long taken;
    private @Nullable Sample older;
    private @Nullable Sample newer;

    record Sample(long at, long taken) {}

    Share() {}

    /** The number of workers that run these jobs; a snapshot. Any thread. */
    public int running() {
        return running;
    }

    /** The number of these jobs that wait for a worker; a snapshot. Any thread. */
    public int waiting() {
        return waiting;
    }

    /** Jobs begin to run, or running jobs become such jobs; or jobs run no longer, if {@code more} is negative. */
    void runs(int more) {
        running = running() + more;
        assert running >= 0 : "a place was given back twice";
    }

    /** Jobs begin to wait, or wait no longer if {@code more} is negative. */
    void waits(int more) {
        waiting = waiting() + more;
    }

    /** A worker has taken a job. */
    void took() {
        taken++;
    }

    /** Takes a sample if the last sample is older than {@link #WINDOW}. Returns the older one of the samples. */
    Sample look(long now) {
        Sample last = newer;
        if (last == null || now - last.at() >= WINDOW) {
            newer = new Sample(now, taken);
            older = last == null || now - last.at() > FORGOTTEN ? newer : last;
        }
        return Objects.requireNonNull(older);
    }

    /** Estimates the number of seconds in which workers take {@code jobs} jobs. The result is at least 1 and at most 60. */
    int secondsFor(int jobs, long now) {
        Sample from = look(now);
        // If no job has been taken since the older sample, assume that one job has been taken.
        double seconds = jobs * ((now - from.at()) / SECOND) / Math.max(1, taken - from.taken());
        return (int) Math.max(1, Math.min(60, Math.ceil(seconds)));
    }

    /** The number of jobs that workers take in {@code nanos} nanoseconds at the current speed. */
    int takenIn(long nanos, long now) {
        Sample from = look(now);
        double share = (double) nanos / Math.max(1, now - from.at());
        return (int) Math.min(Integer.MAX_VALUE, share * (taken - from.taken()));
    }
}

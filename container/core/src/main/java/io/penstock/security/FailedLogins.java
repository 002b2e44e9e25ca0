package io.penstock.security;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.time.Clock;
import io.penstock.time.Saturated;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Who has failed to log in, and how often: names, or addresses. Failures count together while each comes sooner than the time of a
 * lock-out after the one before; once there are too many, whoever it is stays locked out for that time after the last that counted.
 * Of too many that failed, those are forgotten whose last failure is the oldest.
 *
 * <p>Thread: workers; each call takes this object's lock for a moment.
 */
final class FailedLogins {
    private final int most;
    private final long lockout;
    private final int kept;
    private final Clock clock;
    private final Runnable forgotten;

    /** In order of their last failures. */
    @GuardedBy("this")
    private final Map<String, Failures> failed = new LinkedHashMap<>();

    private record Failures(int count, long last) {}

    /**
     * @param most failures after which one is locked out; 0 for no bound
     * @param lockoutNanos for how long
     * @param forgotten counts one that is forgotten for others
     */
    FailedLogins(int most, long lockoutNanos, int kept, Clock clock, Runnable forgotten) {
        this.most = most;
        this.lockout = lockoutNanos;
        this.kept = kept;
        this.clock = clock;
        this.forgotten = forgotten;
    }

    /** Seconds, at least one, for which this one is locked out; 0 if not at all. */
    synchronized int lockedFor(String who) {
        Failures failures = failed.get(who);
        if (most == 0 || failures == null || failures.count() < most) {
            return 0;
        }
        long left = lockout - (clock.nanos() - failures.last());
        return left <= 0 ? 0 : Saturated.count(1 + TimeUnit.NANOSECONDS.toSeconds(left - 1));
    }

    synchronized void failed(String who) {
        if (most == 0) {
            return;
        }
        long now = clock.nanos();
        Failures before = failed.remove(who);
        int inARow = before != null && now - before.last() < lockout ? before.count() : 0;
        failed.put(who, new Failures(inARow + 1, now));
        if (failed.size() > kept) {
            Iterator<String> oldest = failed.keySet().iterator();
            oldest.next();
            oldest.remove();
            forgotten.run();
        }
    }

    synchronized void succeeded(String who) {
        failed.remove(who);
    }
}

package io.penstock.security;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.time.Clock;
import io.penstock.time.Saturated;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Counts failed logins by key: a name or an address. A failure adds to the count if it comes within the lock-out time after the previous
 * one; otherwise the count begins again. A key with too many failures is locked out. The lock-out ends when the lock-out time has passed
 * since the last counted failure. When there are too many keys, the key with the oldest last failure is forgotten.
 *
 * <p>Thread: workers; each call takes this object's lock for a moment.
 */
final class FailedLogins {
    private final int most;
    private final long lockout;
    private final int kept;
    private final Clock clock;
    private final Runnable forgotten;

    /** In the order of the keys' last failures. */
    @GuardedBy("this")
    private final Map<String, Failures> failed = new LinkedHashMap<>();

    private record Failures(int count, long last) {}

    /**
     * @param most failures after which a key is locked out; 0 for no limit
     * @param lockoutNanos duration of a lock-out
     * @param kept how many keys are remembered
     * @param forgotten counts the keys that are forgotten because there are too many
     */
    FailedLogins(int most, long lockoutNanos, int kept, Clock clock, Runnable forgotten) {
        this.most = most;
        this.lockout = lockoutNanos;
        this.kept = kept;
        this.clock = clock;
        this.forgotten = forgotten;
    }

    /** Seconds, at least one, for which the key is locked out; 0 if it is not. */
    synchronized int lockedFor(String key) {
        Failures failures = failed.get(key);
        if (most == 0 || failures == null || failures.count() < most) {
            return 0;
        }
        long left = lockout - (clock.nanos() - failures.last());
        return left <= 0 ? 0 : Saturated.count(1 + TimeUnit.NANOSECONDS.toSeconds(left - 1));
    }

    synchronized void failed(String key) {
        if (most == 0) {
            return;
        }
        long now = clock.nanos();
        Failures before = failed.remove(key);
        int inARow = before != null && now - before.last() < lockout ? before.count() : 0;
        failed.put(key, new Failures(inARow + 1, now));
        if (failed.size() > kept) {
            Iterator<String> oldest = failed.keySet().iterator();
            oldest.next();
            oldest.remove();
            forgotten.run();
        }
    }

    synchronized void succeeded(String key) {
        failed.remove(key);
    }
}

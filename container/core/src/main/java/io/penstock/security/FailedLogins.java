package io.penstock.security;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.time.Clock;
import io.penstock.time.Saturated;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Counts failed logins by key. A key is a user name or an address. If the lock-out time has passed since the last failure of a key, its
 * count begins again. A key with too many failures is locked out, until the lock-out time has passed since its last counted failure. If
 * there are too many keys, the key whose last failure is the oldest is removed.
 *
 * <p>Thread: workers; each call takes this object's lock for a moment.
 */
final class FailedLogins {
    private final int most;
    private final long lockout;
    private final int kept;
    private final Clock clock;
    private final Runnable forgotten;

    /** The failures by key, in the order of the last failure of each key. */
    @GuardedBy("this")
    private final Map<String, Failures> failed = new LinkedHashMap<>();

    private record Failures(int count, long last) {}

    /**
     * @param most the number of failures after which a key is locked out; 0 for no limit
     * @param lockoutNanos the duration of a lock-out
     * @param kept the most keys that are counted at one time
     * @param forgotten called for each key that is removed because there are too many keys
     */
    FailedLogins(int most, long lockoutNanos, int kept, Clock clock, Runnable forgotten) {
        this.most = most;
        this.lockout = lockoutNanos;
        this.kept = kept;
        this.clock = clock;
        this.forgotten = forgotten;
    }

    /** The seconds for which the key remains locked out, at least one; 0 if the key is not locked out. */
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

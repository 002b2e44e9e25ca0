package io.penstock.security;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.limits.LoginLimits;
import io.penstock.time.Clock;
import io.penstock.time.Saturated;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Locks out names and addresses with too many failed logins. Failures are counted per name. For an address from which that name has logged
 * in before, they are counted per name and address. So an attacker elsewhere cannot lock the user out. A login from such a familiar address
 * clears only the failures of that address.
 *
 * <p>Thread: workers, several at once.
 */
final class LockOuts {
    private final FailedLogins byName;
    private final FailedLogins byNameAtItsAddress;
    private final FailedLogins byAddress;
    private final int kept;

    /** Names with addresses from which they have logged in, the oldest login first. */
    @GuardedBy("this")
    private final Map<String, Boolean> familiar = new LinkedHashMap<>(64, 0.75f, true);

    /** @param forgotten counts names and addresses whose failures are forgotten because there are too many */
    LockOuts(LoginLimits limits, Clock clock, Runnable forgotten) {
        long lockout = Saturated.nanos(limits.lockout());
        kept = limits.failuresKept();
        byName = new FailedLogins(limits.failuresOfUser(), lockout, kept, clock, forgotten);
        byNameAtItsAddress = new FailedLogins(limits.failuresOfUser(), lockout, kept, clock, forgotten);
        byAddress = new FailedLogins(limits.failuresOfAddress(), lockout, kept, clock, forgotten);
    }

    /** Seconds, at least one, for which that name cannot log in from that address; 0 if it can. */
    int lockedFor(String name, String address) {
        String pair = pair(name, address);
        int ofName = isFamiliar(pair) ? byNameAtItsAddress.lockedFor(pair) : byName.lockedFor(name);
        return Math.max(ofName, byAddress.lockedFor(address));
    }

    void failed(String name, String address) {
        byName.failed(name);
        byNameAtItsAddress.failed(pair(name, address));
        byAddress.failed(address);
    }

    void succeeded(String name, String address) {
        String pair = pair(name, address);
        if (!makeFamiliar(pair)) {
            byName.succeeded(name);
        }
        byNameAtItsAddress.succeeded(pair);
    }

    private synchronized boolean isFamiliar(String pair) {
        return familiar.containsKey(pair);
    }

    /** Marks the pair as familiar; returns whether it already was. */
    private synchronized boolean makeFamiliar(String pair) {
        boolean before = familiar.put(pair, Boolean.TRUE) != null;
        if (familiar.size() > kept) {
            familiar.remove(familiar.keySet().iterator().next());
        }
        return before;
    }

    /** One key for the pair of name and address. The key is unambiguous, since an address has no blank. */
    private static String pair(String name, String address) {
        return address + ' ' + name;
    }
}

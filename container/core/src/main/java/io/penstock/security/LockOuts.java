package io.penstock.security;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.limits.LoginLimits;
import io.penstock.time.Clock;
import io.penstock.time.Saturated;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Locks out names and addresses with too many failed logins. Failures are counted per user name. An address from which the user has logged
 * in before is called familiar. At a familiar address, failures are counted per name and address. So an attacker at another address cannot
 * lock the user out there. A login from a familiar address clears only the failures of this user at this address.
 *
 * <p>Thread: workers, several at once.
 */
final class LockOuts {
    private final FailedLogins byName;
    private final FailedLogins byNameAtItsAddress;
    private final FailedLogins byAddress;
    private final int kept;

    /** The pairs of a name and a familiar address, the oldest login first. */
    @GuardedBy("this")
    private final Map<String, Boolean> familiar = new LinkedHashMap<>(64, 0.75f, true);

    /** @param forgotten called for each name or address whose count is removed because there are too many counts */
    LockOuts(LoginLimits limits, Clock clock, Runnable forgotten) {
        long lockout = Saturated.nanos(limits.lockout());
        kept = limits.failuresKept();
        byName = new FailedLogins(limits.failuresOfUser(), lockout, kept, clock, forgotten);
        byNameAtItsAddress = new FailedLogins(limits.failuresOfUser(), lockout, kept, clock, forgotten);
        byAddress = new FailedLogins(limits.failuresOfAddress(), lockout, kept, clock, forgotten);
    }

    /** The seconds for which the name cannot log in from the address, at least one; 0 if the name can log in. */
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
        if (!markFamiliar(pair)) {
            byName.succeeded(name);
        }
        byNameAtItsAddress.succeeded(pair);
    }

    private synchronized boolean isFamiliar(String pair) {
        return familiar.containsKey(pair);
    }

    /** Marks the pair as familiar. Returns whether the pair was familiar before. */
    private synchronized boolean markFamiliar(String pair) {
        boolean before = familiar.put(pair, Boolean.TRUE) != null;
        if (familiar.size() > kept) {
            familiar.remove(familiar.keySet().iterator().next());
        }
        return before;
    }

    /** The key for a pair of a name and an address. Different pairs have different keys, because an address contains no blank. */
    private static String pair(String name, String address) {
        return address + ' ' + name;
    }
}

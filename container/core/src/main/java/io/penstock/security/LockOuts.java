package io.penstock.security;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.limits.LoginLimits;
import io.penstock.time.Clock;
import io.penstock.time.Saturated;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Who may not try to log in at the moment. A name that has failed too often is locked out everywhere but at the addresses from which it
 * has logged in before, which answer for their own failures: otherwise anybody could keep a user out by failing in his name. Nor does a
 * login from there forget what others have tried in the name.
 *
 * <p>Thread: workers, several at once.
 */
final class LockOuts {
    private final FailedLogins byName;
    private final FailedLogins byNameAtItsAddress;
    private final FailedLogins byAddress;
    private final int kept;

    /** Names at addresses from which they have logged in, those of the oldest logins first. */
    @GuardedBy("this")
    private final Map<String, Boolean> familiar = new LinkedHashMap<>(64, 0.75f, true);

    /** @param forgotten counts a name or an address whose failures are forgotten for others */
    LockOuts(LoginLimits limits, Clock clock, Runnable forgotten) {
        long lockout = Saturated.nanos(limits.lockout());
        kept = limits.failuresKept();
        byName = new FailedLogins(limits.failuresOfUser(), lockout, kept, clock, forgotten);
        byNameAtItsAddress = new FailedLogins(limits.failuresOfUser(), lockout, kept, clock, forgotten);
        byAddress = new FailedLogins(limits.failuresOfAddress(), lockout, kept, clock, forgotten);
    }

    /** Seconds, at least one, for which nobody may try that name from there; 0 if somebody may. */
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

    /** Whether it was before. */
    private synchronized boolean makeFamiliar(String pair) {
        boolean before = familiar.put(pair, Boolean.TRUE) != null;
        if (familiar.size() > kept) {
            familiar.remove(familiar.keySet().iterator().next());
        }
        return before;
    }

    /** An address is hexadecimal, so that no name can make two pairs look like one. */
    private static String pair(String name, String address) {
        return address + ' ' + name;
    }
}

package io.penstock.security;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.Map;

/**
 * Limits concurrent password checks, in total and for each address. A check occupies a processor for a tenth of a second. Without a limit,
 * clients with invented passwords could occupy all processors.
 *
 * <p>One address can run at most half of all checks, rounded down. So other clients can log in at the same time. If the limit is one check,
 * any address can run this check. In this case, only {@link LockOuts} stops an address that sends one wrong password after another.
 *
 * <p>Thread: workers; each call takes this object's lock for a moment.
 */
final class PasswordChecks {
    private final int most;
    private final int mostOfAddress;

    @GuardedBy("this")
    private int underWay;

    /** The number of running checks, by address. Addresses without a running check have no entry. */
    @GuardedBy("this")
    private final Map<String, Integer> byAddress = new HashMap<>();

    /** @param most the most checks at one time, at least 1 */
    PasswordChecks(int most) {
        this.most = most;
        this.mostOfAddress = Math.max(1, most / 2);
    }

    /**
     * Begins a check, without waiting. Returns false if too many checks are running, in total or for this address. After a successful call,
     * the caller must call {@link #end}.
     */
    synchronized boolean begin(String address) {
        int ofAddress = byAddress.getOrDefault(address, 0);
        if (underWay >= most || ofAddress >= mostOfAddress) {
            return false;
        }
        byAddress.put(address, ofAddress + 1);
        underWay++;
        return true;
    }

    synchronized void end(String address) {
        underWay--;
        byAddress.computeIfPresent(address, (same, count) -> count == 1 ? null : count - 1);
    }
}

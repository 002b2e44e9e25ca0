package io.penstock.security;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.Map;

/**
 * Limits concurrent password checks, in total and for each address. A check takes a processor for a tenth of a second. Without a limit,
 * clients with made-up passwords could use all processors.
 *
 * <p>One address gets at most half of the places, rounded down, so that other clients can log in meanwhile. If there is only one place,
 * any address may take it; then only {@link LockOuts} stop one address from occupying it for ever.
 *
 * <p>Thread: workers; each call takes this object's lock for a moment.
 */
final class PasswordChecks {
    private final int most;
    private final int mostOfAddress;

    @GuardedBy("this")
    private int underWay;

    /** The number of running checks for each address that has any. */
    @GuardedBy("this")
    private final Map<String, Integer> byAddress = new HashMap<>();

    /** @param most checks at one time, at least 1 */
    PasswordChecks(int most) {
        this.most = most;
        this.mostOfAddress = Math.max(1, most / 2);
    }

    /** Takes a place; returns false if none is free for this address. {@link #end} gives the place back. Does not wait. */
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

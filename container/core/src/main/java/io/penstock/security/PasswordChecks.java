package io.penstock.security;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.Map;

/**
 * How many passwords are being checked, in all and for each address. A check takes a processor for a tenth of a second, so that
 * clients with made-up passwords would otherwise take all of them.
 *
 * <p>One address has at most half of the places, rounded down, so that another can log in meanwhile. Where there is one place an address
 * can have it, since nobody could log in otherwise: there only {@link LockOuts} keep an address from holding it for ever.
 *
 * <p>Thread: workers; each call takes this object's lock for a moment.
 */
final class PasswordChecks {
    private final int most;
    private final int mostOfAddress;

    @GuardedBy("this")
    private int underWay;

    /** Addresses that have at least one. */
    @GuardedBy("this")
    private final Map<String, Integer> byAddress = new HashMap<>();

    /** @param most checks at one time, at least 1 */
    PasswordChecks(int most) {
        this.most = most;
        this.mostOfAddress = Math.max(1, most / 2);
    }

    /** Takes a place, which {@link #end} gives back; false if there is none for this address. Does not wait. */
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

package io.penstock.exchange;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.memory.AddressKey;
import io.penstock.time.Clock;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Limits the requests of each client address to an average number of requests per second, and limits the size of a burst. The algorithm is
 * the generic cell rate algorithm of ATM. For each address, it stores one point in time: the earliest time at which the next request would
 * conform exactly to the average rate. If there are too many addresses, the least recently used address is removed.
 *
 * <p>Thread: reactors. Each call holds this object's lock for a short time.
 */
final class RequestRates {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final long interval;
    private final long tolerance;
    private final int kept;
    private final Clock clock;
    private final Runnable forgotten;

    /** The stored time of each address. The least recently used address comes first. */
    @GuardedBy("this")
    private final Map<Long, Long> usedUp = new LinkedHashMap<>();

    /**
     * @param rate the number of requests per second, at least 1
     * @param burst the number of requests that are accepted at the same time, at least 1
     * @param kept the largest number of remembered addresses
     * @param forgotten an action that runs each time an address is removed because too many addresses are stored
     */
    RequestRates(int rate, int burst, int kept, Clock clock, Runnable forgotten) {
        this.interval = Math.max(1, SECOND / rate);
        this.tolerance = interval * (burst - 1L);
        this.kept = kept;
        this.clock = clock;
        this.forgotten = forgotten;
    }

    /**
     * Returns 0 if the request is accepted, and counts the request. Otherwise returns the number of seconds after which the client may
     * retry, at least 1. A refused request is not counted.
     */
    synchronized long secondsToWait(InetAddress client) {
        Long key = AddressKey.of(client);
        long now = clock.nanos();
        Long before = usedUp.get(key);
        long ahead = before == null ? 0 : Math.max(0, before - now);
        if (ahead > tolerance) {
            return (ahead - tolerance + SECOND - 1) / SECOND;
        }
        // Move the address to the end of the map.
        usedUp.remove(key);
        usedUp.put(key, now + ahead + interval);
        if (usedUp.size() > kept) {
            usedUp.remove(usedUp.keySet().iterator().next());
            forgotten.run();
        }
        return 0;
    }
}

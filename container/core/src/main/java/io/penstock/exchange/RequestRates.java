package io.penstock.exchange;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.penstock.limits.AddressKey;
import io.penstock.time.Clock;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Limits the requests of each client address to an average rate a second and to a burst. For each address, one value is stored: the time at
 * which its requests so far would have ended at exactly that rate (the generic cell rate algorithm of ATM). If there are too many
 * addresses, the address with the oldest last request is forgotten.
 *
 * <p>Thread: reactors; each call takes this object's lock for a moment.
 */
final class RequestRates {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final long interval;
    private final long tolerance;
    private final int kept;
    private final Clock clock;
    private final Runnable forgotten;

    /** The stored time of each address, in the order of the last requests. */
    @GuardedBy("this")
    private final Map<Long, Long> usedUp = new LinkedHashMap<>();

    /**
     * @param rate requests a second, at least 1
     * @param burst requests at one time, at least 1
     * @param kept the most addresses that are remembered
     * @param forgotten is called for each address that is forgotten because too many are stored
     */
    RequestRates(int rate, int burst, int kept, Clock clock, Runnable forgotten) {
        this.interval = Math.max(1, SECOND / rate);
        this.tolerance = interval * (burst - 1L);
        this.kept = kept;
        this.clock = clock;
        this.forgotten = forgotten;
    }

    /**
     * Counts a request. Returns 0 if the request is accepted. Otherwise returns the seconds, at least 1, after which the client may retry.
     */
    synchronized long secondsToWait(InetAddress client) {
        Long key = AddressKey.of(client);
        long now = clock.nanos();
        Long before = usedUp.get(key);
        long ahead = before == null ? 0 : Math.max(0, before - now);
        if (ahead > tolerance) {
            return (ahead - tolerance + SECOND - 1) / SECOND;
        }
        usedUp.remove(key); // the address moves to the end of the order
        usedUp.put(key, now + ahead + interval);
        if (usedUp.size() > kept) {
            usedUp.remove(usedUp.keySet().iterator().next());
            forgotten.run();
        }
        return 0;
    }
}

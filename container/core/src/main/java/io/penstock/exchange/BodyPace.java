package io.penstock.exchange;

import io.penstock.limits.Key;
import io.penstock.limits.Timeouts;
import io.penstock.time.Saturated;
import org.jspecify.annotations.Nullable;

/**
 * Measures how fast the body of one request arrives: the time since its last bytes, the bytes per second, and the total wait for the
 * client. Only time in which the server waits for the client counts. Waits for the application, the disk, or memory do not count.
 *
 * <p>Thread: the reactor. All times are in nanoseconds, by the reactor's clock.
 *
 * <pre>
 *   SERVER --awaitClient--> CLIENT --awaitServer--> SERVER
 * </pre>
 */
public final class BodyPace {

    private static final double SECOND = 1e9;

    private enum WaitsFor {
        /**
         * The server does not wait for the client: the body waits for the application, the disk, memory, or a 100 (Continue) that has not
         * been sent.
         */
        SERVER,
        CLIENT
    }

    private final long stall;
    private final long total;
    private final double leastPerSecond;

    private WaitsFor waitsFor = WaitsFor.SERVER;

    // When the present wait for the client began, and the total of the earlier waits.
    private long since;
    private long waited;

    private long stallsAt;

    // The total wait at the last check of the rate, and the bytes received since that check.
    private long judged;
    private long bytes;

    public BodyPace(Timeouts timeouts) {
        this.stall = Saturated.nanos(timeouts.bodyStall());
        this.total = Saturated.nanos(timeouts.bodyTotal());
        this.leastPerSecond = timeouts.bodyMinRate();
    }

    public boolean waitsForClient() {
        return waitsFor == WaitsFor.CLIENT;
    }

    /**
     * The server waits for the client from here on. Must be called again after the client has sent bytes.
     *
     * @return as {@link #safeFor}
     */
    public long awaitClient(long now) {
        if (waitsFor == WaitsFor.SERVER) {
            waitsFor = WaitsFor.CLIENT;
            since = now;
        }
        stallsAt = now + stall;
        return safeFor(now);
    }

    /** The server does not wait for the client from here on. */
    public void awaitServer(long now) {
        waited = waited(now);
        waitsFor = WaitsFor.SERVER;
    }

    public void arrived(int count) {
        bytes += count;
    }

    /** The bound that the client has exceeded, or null. */
    public @Nullable Key passed(long now) {
        if (waitsFor == WaitsFor.SERVER) {
            return null;
        }
        if (now >= stallsAt) {
            return Key.BODY_STALL_TIMEOUT;
        }
        long all = waited(now);
        if (all >= total) {
            return Key.BODY_TOTAL_TIMEOUT;
        }
        if (all - judged >= stall) {
            if (bytes * SECOND < leastPerSecond * (all - judged)) {
                return Key.BODY_MIN_RATE;
            }
            judged = all;
            bytes = 0;
        }
        return null;
    }

    /** The nanoseconds from now on in which the client cannot exceed a bound, even if it sends nothing. */
    public long safeFor(long now) {
        long all = waited(now);
        return Math.min(stallsAt - now, Math.min(total - all, judged + stall - all));
    }

    private long waited(long now) {
        return waitsFor == WaitsFor.CLIENT ? waited + now - since : waited;
    }
}

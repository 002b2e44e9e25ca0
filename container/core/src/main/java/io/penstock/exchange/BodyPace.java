package io.penstock.exchange;

import io.penstock.limits.Key;
import io.penstock.limits.Timeouts;
import io.penstock.time.Saturated;
import org.jspecify.annotations.Nullable;

/**
 * Measures how fast the body of one request arrives. It measures the time since the last bytes arrived, the bytes per second, and the total
 * time of waiting for the client. Only time in which the server waits for the client counts. Time in which the body waits for the
 * application, the disk, or memory does not count.
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
         * The server does not wait for the client. The body waits for the application, for the disk, for memory, or for the 100 (Continue)
         * that the server has not sent yet.
         */
        SERVER,
        CLIENT
    }

    private final long stall;
    private final long total;
    private final double leastPerSecond;

    private WaitsFor waitsFor = WaitsFor.SERVER;

    // The time when the current wait for the client began, and the total duration of the earlier waits.
    private long since;
    private long waited;

    private long stallsAt;

    // The total duration of all waits at the last check of the rate, and the number of bytes received since that check.
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
     * From now on, the server waits for the client. Must be called again each time the client has sent bytes.
     *
     * @return the result of {@link #safeFor}
     */
    public long awaitClient(long now) {
        if (waitsFor == WaitsFor.SERVER) {
            waitsFor = WaitsFor.CLIENT;
            since = now;
        }
        stallsAt = now + stall;
        return safeFor(now);
    }

    /** From now on, the server does not wait for the client. */
    public void awaitServer(long now) {
        waited = waited(now);
        waitsFor = WaitsFor.SERVER;
    }

    public void arrived(int count) {
        bytes += count;
    }

    /** The key of the limit that the client has exceeded, or null. */
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

    /** The number of nanoseconds from now in which the client cannot exceed a limit, even if the client sends no bytes. */
    public long safeFor(long now) {
        long all = waited(now);
        return Math.min(stallsAt - now, Math.min(total - all, judged + stall - all));
    }

    private long waited(long now) {
        return waitsFor == WaitsFor.CLIENT ? waited + now - since : waited;
    }
}

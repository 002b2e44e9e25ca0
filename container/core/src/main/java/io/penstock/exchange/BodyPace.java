package io.penstock.exchange;

import io.penstock.limits.Key;
import io.penstock.limits.Timeouts;
import io.penstock.time.Saturated;
import org.jspecify.annotations.Nullable;

/**
 * How the body of one request arrives: how long ago its last bytes came, how many come in a second, and how long it has been waited for
 * in all. Only time in which the client is waited for counts: not the time that the application, the disk, or a want of memory takes.
 *
 * <p>Thread: the reactor. Times are nanoseconds, moments those of the reactor's clock.
 *
 * <pre>
 *   SERVER --awaitClient--> CLIENT --awaitServer--> SERVER
 * </pre>
 */
public final class BodyPace {

    private static final double SECOND = 1e9;

    private enum WaitsFor {
        /** The application, the disk or memory, or 100 (Continue) that has not been sent. */
        SERVER,
        CLIENT
    }

    private final long stall;
    private final long total;
    private final double leastPerSecond;

    private WaitsFor waitsFor = WaitsFor.SERVER;

    // When the present wait for the client began, and what the former ones took together.
    private long since;
    private long waited;

    private long stallsAt;

    // What had been waited in all when the rate was judged last, and the bytes that have come since.
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
     * The client is waited for from here on, or has sent bytes and is waited for again.
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

    /** The client is not waited for from here on. */
    public void awaitServer(long now) {
        waited = waited(now);
        waitsFor = WaitsFor.SERVER;
    }

    public void arrived(int count) {
        bytes += count;
    }

    /** The bound that the client has passed, or null. */
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

    /** How long from now on the client cannot pass a bound, whatever it does. */
    public long safeFor(long now) {
        long all = waited(now);
        return Math.min(stallsAt - now, Math.min(total - all, judged + stall - all));
    }

    private long waited(long now) {
        return waitsFor == WaitsFor.CLIENT ? waited + now - since : waited;
    }
}

package io.penstock.time;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;

/**
 * Limits the rate of log messages about one kind of event. At most one message is logged per interval, with the number of events since the
 * last message. Thread: any.
 */
public final class RateLimitedLog {
    private final Clock clock;
    private final long interval;

    @GuardedBy("this")
    private long events;

    @GuardedBy("this")
    private long lastLogged;

    @GuardedBy("this")
    private boolean everLogged;

    /** @param interval the minimum time between two messages */
    public RateLimitedLog(Clock clock, Duration interval) {
        this.clock = clock;
        this.interval = Saturated.nanos(interval);
    }

    /**
     * Counts one event. Returns 0 if no message may be logged now. Otherwise returns the number of events since the last message, including
     * this event.
     */
    public synchronized long happened() {
        events++;
        long now = clock.nanos();
        if (everLogged && now - lastLogged < interval) {
            return 0;
        }
        everLogged = true;
        lastLogged = now;
        long due = events;
        events = 0;
        return due;
    }
}

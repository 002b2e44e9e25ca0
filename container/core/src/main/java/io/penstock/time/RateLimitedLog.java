package io.penstock.time;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;

/**
 * Rate-limits log messages about one kind of event: at most one message per interval, with the number of events since the last message.
 * Thread: any.
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

    /** @param interval the shortest time between two messages */
    public RateLimitedLog(Clock clock, Duration interval) {
        this.clock = clock;
        this.interval = Saturated.nanos(interval);
    }

    /** Counts one event. Returns the number of events to log now, including this one; 0 if no message is due yet. */
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

package io.penstock.time;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import org.slf4j.Logger;

/**
 * Limits the rate of log messages about one kind of event. At most one message is logged per interval, with the number of events since the
 * last message. Use this class for each message that a client or a full disk can cause again and again. Thread: any.
 */
public final class RateLimitedLog {
    private static final Duration USUAL_INTERVAL = Duration.ofMinutes(1);

    private final Clock clock;
    private final long interval;

    @GuardedBy("this")
    private long events;

    @GuardedBy("this")
    private long lastLogged;

    @GuardedBy("this")
    private boolean everLogged;

    /** At most one message a minute. */
    public RateLimitedLog() {
        this(Clock.SYSTEM, USUAL_INTERVAL);
    }

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

    /**
     * Counts one failure. Logs a warning of one line, if a message may be logged now: {@code what}, the number of failures since the last
     * message, and the failure. The stack trace is logged at the level DEBUG, for each failure.
     */
    public void warn(Logger log, String what, Throwable failure) {
        warn(log, what, failure.toString(), failure);
    }

    /** Like {@link #warn(Logger, String, Throwable)}, for a failure whose reason has a better text than that of the exception. */
    public void warn(Logger log, String what, String reason, Throwable failure) {
        long times = happened();
        if (times > 0) {
            log.warn("{} ({} since the last message): {}", what, times, reason);
        }
        log.debug("{}", what, failure);
    }
}

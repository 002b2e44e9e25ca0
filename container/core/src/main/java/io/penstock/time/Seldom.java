package io.penstock.time;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;

/** Keeps what happens often from being said often: once in a while, with the number of times. Thread: any. */
public final class Seldom {
    private final Clock clock;
    private final long pause;

    @GuardedBy("this")
    private long times;

    @GuardedBy("this")
    private long lastSaid;

    @GuardedBy("this")
    private boolean everSaid;

    /** @param pause the least time between two sayings */
    public Seldom(Clock clock, Duration pause) {
        this.clock = clock;
        this.pause = Saturated.nanos(pause);
    }

    /** It has happened once more. Returns how often since it was last said, if it is to be said now, and otherwise 0. */
    public synchronized long happened() {
        times++;
        long now = clock.nanos();
        if (everSaid && now - lastSaid < pause) {
            return 0;
        }
        everSaid = true;
        lastSaid = now;
        long said = times;
        times = 0;
        return said;
    }
}

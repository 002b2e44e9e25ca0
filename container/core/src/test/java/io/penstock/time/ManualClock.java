package io.penstock.time;

import java.time.Duration;

/** A clock that a test advances. Only one thread may advance the clock. All threads can read it. */
public final class ManualClock implements Clock {
    private volatile long now = -1_000_000;

    @Override
    public long nanos() {
        return now;
    }

    public void pass(Duration time) {
        now += time.toNanos();
    }
}

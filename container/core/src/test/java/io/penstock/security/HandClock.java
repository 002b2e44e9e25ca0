package io.penstock.security;

import io.penstock.time.Clock;
import java.time.Duration;

/** A clock that a test moves. */
final class HandClock implements Clock {
    private volatile long now = -1_000_000;

    @Override
    public long nanos() {
        return now;
    }

    void pass(Duration time) {
        now += time.toNanos();
    }
}

package io.penstock.acme;

import java.time.Duration;
import java.time.Instant;

/** A clock that a test advances. The method {@code sleep} advances the clock, and does not wait. Any thread may use the clock. */
final class ManualTime implements Time {
    private Instant now = Instant.parse("2026-11-26T12:00:00Z");

    @Override
    public synchronized Instant instant() {
        return now;
    }

    @Override
    public void sleep(Duration time) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        advance(time);
    }

    synchronized void advance(Duration time) {
        now = now.plus(time);
    }
}

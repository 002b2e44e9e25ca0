package io.penstock.acme;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Provides the current time, and waits for a given time. Tests use another implementation than {@link #SYSTEM}. Thread: any. */
interface Time extends InstantSource {
    Time SYSTEM = new Time() {
        @Override
        public Instant instant() {
            return Instant.now();
        }

        @Override
        public void sleep(Duration time) throws InterruptedException {
            Thread.sleep(time.toMillis());
        }
    };

    void sleep(Duration time) throws InterruptedException;
}

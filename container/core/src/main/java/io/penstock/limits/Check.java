package io.penstock.limits;

import java.time.Duration;

/** Validation shared by the configuration records; a message names the configuration key. */
final class Check {
    private Check() {}

    static void atLeast(String key, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(key + " must be at least " + least + ", not " + value);
        }
    }

    static void positive(String key, Duration value) {
        if (value.isZero() || value.isNegative()) {
            throw new IllegalArgumentException(key + " must be longer than zero, not " + value);
        }
    }
}

package io.penstock.loadtest.client;

import java.time.Duration;

/** The checks of the values that users give. */
public final class Require {
    private Require() {}

    /** @throws IllegalArgumentException if the rule does not hold */
    public static void that(boolean holds, String rule, Object value) {
        if (!holds) {
            throw new IllegalArgumentException(rule + ", not " + value);
        }
    }

    public static void atLeast(long least, long value, String name) {
        that(value >= least, name + " must be at least " + least, value);
    }

    public static void positive(Duration value, String name) {
        that(value.compareTo(Duration.ZERO) > 0, name + " must be more than 0", value.toMillis() + "ms");
    }

    public static void notNegative(Duration value, String name) {
        that(!value.isNegative(), name + " must not be negative", value.toMillis() + "ms");
    }
}

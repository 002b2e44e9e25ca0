package io.penstock.loadtest.load;

import java.time.Duration;

/** The checks that all plans share. */
final class Plans {
    private Plans() {}

    static void require(boolean holds, String rule, Object value) {
        if (!holds) {
            throw new IllegalArgumentException(rule + ", not " + value);
        }
    }

    static void requirePositive(Duration value, String name) {
        require(value.compareTo(Duration.ZERO) > 0, name + " must be more than 0", value.toMillis() + "ms");
    }

    static void requireNotNegative(Duration value, String name) {
        require(!value.isNegative(), name + " must not be negative", value.toMillis() + "ms");
    }
}

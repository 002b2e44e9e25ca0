package io.penstock.acme;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Computes the pauses after failed orders. The first pause is one minute. Each further pause is three times as long as the previous pause,
 * up to one day. A random part of up to a quarter is subtracted from each pause. So servers whose orders failed at the same time do not
 * repeat these orders at the same time. These pauses result in about five attempts in the first hour. Authorities allow about this number
 * of failed attempts.
 *
 * <p>Thread: any, if the random generator is thread-safe.
 */
final class RetryPause {
    static final Duration FIRST = Duration.ofMinutes(1);
    static final Duration LONGEST = Duration.ofDays(1);

    private static final int FACTOR = 3;
    private static final double SPREAD = 0.25;

    private final RandomGenerator random;

    RetryPause(RandomGenerator random) {
        this.random = random;
    }

    /** @param failures the number of failures in a row; at least one */
    Duration after(int failures) {
        Duration pause = FIRST;
        for (int i = 1; i < failures && pause.compareTo(LONGEST) < 0; i++) {
            pause = pause.multipliedBy(FACTOR);
        }
        if (pause.compareTo(LONGEST) > 0) {
            pause = LONGEST;
        }
        return pause.minusMillis((long) (pause.toMillis() * SPREAD * random.nextDouble()));
    }
}

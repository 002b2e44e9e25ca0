package io.penstock.acme;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The pauses after failures. Each pause is three times as long as the one before, from one minute to one day. A random part of up to a
 * quarter is subtracted, so that servers that failed together do not try again together. So there are about five attempts in the first
 * hour, which is about the number of failed proofs that authorities allow.
 *
 * <p>Thread: any, if the random generator permits that.
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

    /** @param failures in a row; at least one */
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

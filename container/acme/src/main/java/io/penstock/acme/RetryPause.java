package io.penstock.acme;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The pauses after failures: each is three times as long as the one before, from one minute to one day, less up to a quarter, so that servers
 * that have failed together do not try together. With this, the first hour has five attempts, and authorities allow about as many failed proofs
 * for a host in an hour.
 *
 * <p>Thread: any that the generator allows.
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

package io.penstock.soak;

import java.util.SplittableRandom;

/** The speed of a client: the maximum number of bytes of each read or write, and the pause after each read or write. */
record Pace(int most, long pauseNanos) {
    static final Pace QUICK = new Pace(Integer.MAX_VALUE, 0);

    private static final long MILLISECOND = 1_000_000;

    /** Returns a random pace. On average, two of five clients are slow: they read and write few bytes at a time, with pauses. */
    static Pace drawn(SplittableRandom random) {
        return switch (random.nextInt(5)) {
            case 0 -> new Pace(800, 1 + random.nextLong(4 * MILLISECOND));
            case 1 -> new Pace(20_000, 1 + random.nextLong(20 * MILLISECOND));
            default -> QUICK;
        };
    }

    int next(SplittableRandom random) {
        return this == QUICK ? most : 1 + random.nextInt(most);
    }
}

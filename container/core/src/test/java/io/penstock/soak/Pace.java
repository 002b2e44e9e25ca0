package io.penstock.soak;

import java.util.SplittableRandom;

/** The maximum number of bytes that a client reads or writes at a time, and the pause afterwards. */
record Pace(int most, long pauseNanos) {
    static final Pace QUICK = new Pace(Integer.MAX_VALUE, 0);

    private static final long MILLISECOND = 1_000_000;

    /** Returns a random pace. Two of five clients are slow: they move few bytes at a time, or make long pauses. */
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

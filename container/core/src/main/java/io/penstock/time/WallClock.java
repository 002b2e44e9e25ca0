package io.penstock.time;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Converts times of a {@link Clock} to wall-clock times. The wall clock is read at most once in 100 ms. So a change of the wall clock has
 * an effect only after a short time.
 *
 * <p>Thread: any.
 */
public final class WallClock {
    static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

    private final Clock clock;
    private final InstantSource wall;
    private volatile Look last;

    /** The times of both clocks at one moment. */
    private record Look(long nanos, Instant instant) {}

    public WallClock(Clock clock, InstantSource wall) {
        this.clock = clock;
        this.wall = wall;
        this.last = look();
    }

    /** @param nanos a present or past time of the {@link Clock} */
    public Instant at(long nanos) {
        Look look = last;
        if (nanos - look.nanos() > Saturated.nanos(BETWEEN_LOOKS)) {
            look = look();
            last = look;
        }
        return look.instant().plusNanos(nanos - look.nanos());
    }

    private Look look() {
        return new Look(clock.nanos(), wall.instant());
    }
}

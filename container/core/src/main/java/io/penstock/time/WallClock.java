package io.penstock.time;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Converts times of a {@link Clock} to wall-clock time. The wall clock is read only from time to time, so a change of the wall clock takes
 * effect a little later.
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

    /** @param nanos a time of the {@link Clock}, present or past */
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

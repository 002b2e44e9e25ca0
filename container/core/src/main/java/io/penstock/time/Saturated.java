package io.penstock.time;

import java.time.Duration;
import java.time.Instant;

/**
 * Converts times to numbers. A time that is too long for the number becomes the largest number. The platform's own conversions throw or
 * overflow instead. An application that asks for {@link Long#MAX_VALUE} milliseconds means "as long as it takes". The whole container
 * converts times with these methods; a test of the build checks this.
 *
 * <p>Thread: any.
 */
public final class Saturated {
    /** About 146 years. Only half of the largest long, so that adding it to a time of a {@link Clock} does not overflow. */
    public static final long LONGEST_NANOS = Long.MAX_VALUE / 2;

    private static final long NANOS_OF_SECOND = 1_000_000_000;
    private static final Duration LONGEST_MILLIS = Duration.ofMillis(Long.MAX_VALUE);
    private static final Instant LAST_MILLIS = Instant.ofEpochMilli(Long.MAX_VALUE);
    private static final Instant FIRST_MILLIS = Instant.ofEpochMilli(Long.MIN_VALUE);

    private Saturated() {}

    /** The time in nanoseconds, from -{@link #LONGEST_NANOS} to {@link #LONGEST_NANOS}. */
    public static long nanos(Duration time) {
        long seconds = time.getSeconds();
        if (seconds >= LONGEST_NANOS / NANOS_OF_SECOND) {
            return LONGEST_NANOS;
        }
        if (seconds < -LONGEST_NANOS / NANOS_OF_SECOND) {
            return -LONGEST_NANOS;
        }
        return seconds * NANOS_OF_SECOND + time.getNano();
    }

    /** The time in milliseconds. */
    public static long millis(Duration time) {
        if (time.compareTo(LONGEST_MILLIS) >= 0) {
            return Long.MAX_VALUE;
        }
        return time.compareTo(LONGEST_MILLIS.negated()) <= 0 ? -Long.MAX_VALUE : time.toMillis();
    }

    /** Milliseconds since 1970, as {@link Instant#toEpochMilli} returns them. */
    public static long millis(Instant moment) {
        if (moment.isAfter(LAST_MILLIS)) {
            return Long.MAX_VALUE;
        }
        return moment.isBefore(FIRST_MILLIS) ? Long.MIN_VALUE : moment.toEpochMilli();
    }

    /** Converts a count, for example of seconds, to a non-negative {@code int}. */
    public static int count(long number) {
        return (int) Math.max(0, Math.min(Integer.MAX_VALUE, number));
    }
}

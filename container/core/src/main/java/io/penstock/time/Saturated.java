package io.penstock.time;

import java.time.Duration;
import java.time.Instant;

/**
 * Converts times to numbers. A time that is too long for the type of the number becomes the largest number. The conversions of the JDK
 * throw an exception or overflow in this case. An overflow would be wrong, because an application that sets a timeout of {@link
 * Long#MAX_VALUE} milliseconds wants no limit. The whole container converts times with these methods; a test checks this rule.
 *
 * <p>Thread: any.
 */
public final class Saturated {
    /**
     * The longest time in nanoseconds, about 146 years. It is half of the largest long. So the sum of this value and a time of a {@link
     * Clock} does not overflow.
     */
    public static final long LONGEST_NANOS = Long.MAX_VALUE / 2;

    private static final long NANOS_OF_SECOND = 1_000_000_000;
    private static final Duration LONGEST_MILLIS = Duration.ofMillis(Long.MAX_VALUE);
    private static final Instant LAST_MILLIS = Instant.ofEpochMilli(Long.MAX_VALUE);
    private static final Instant FIRST_MILLIS = Instant.ofEpochMilli(Long.MIN_VALUE);

    private Saturated() {}

    /** Returns the time in nanoseconds. The result is between -{@link #LONGEST_NANOS} and {@link #LONGEST_NANOS}. */
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

    /** Returns the time in milliseconds. */
    public static long millis(Duration time) {
        if (time.compareTo(LONGEST_MILLIS) >= 0) {
            return Long.MAX_VALUE;
        }
        return time.compareTo(LONGEST_MILLIS.negated()) <= 0 ? -Long.MAX_VALUE : time.toMillis();
    }

    /** Returns the number of milliseconds since 1970, like {@link Instant#toEpochMilli}. */
    public static long millis(Instant moment) {
        if (moment.isAfter(LAST_MILLIS)) {
            return Long.MAX_VALUE;
        }
        return moment.isBefore(FIRST_MILLIS) ? Long.MIN_VALUE : moment.toEpochMilli();
    }

    /** Converts a number, for example a number of seconds, to a non-negative {@code int}. */
    public static int count(long number) {
        return (int) Math.max(0, Math.min(Integer.MAX_VALUE, number));
    }
}

package io.penstock.loadtest.compare;

import io.penstock.loadtest.cli.DurationConverter;
import java.time.Duration;

/**
 * A size of a comparison, which is an option of its command: a number, a time, or a text.
 *
 * @param option the option, such as {@code --rate}
 * @param full the value of a measurement if the user gives none
 * @param small the value of a smoke test if the user gives none
 * @param least the smallest value that is allowed
 */
record Size<T extends Comparable<T>>(String option, Class<T> type, T full, T small, T least, String description) {

    /** A number of at least 1. */
    static Size<Integer> count(String option, int full, int small, String description) {
        return new Size<>(option, Integer.class, full, small, 1, description);
    }

    /** A number that can be 0. */
    static Size<Integer> number(String option, int full, int small, String description) {
        return new Size<>(option, Integer.class, full, small, 0, description);
    }

    /** A time of at least a millisecond, such as {@code 10s}. */
    static Size<Duration> time(String option, String full, String small, String description) {
        DurationConverter times = new DurationConverter();
        return new Size<>(
                option, Duration.class, times.convert(full), times.convert(small), Duration.ofMillis(1), description);
    }

    static Size<String> text(String option, String full, String small, String description) {
        return new Size<>(option, String.class, full, small, "", description);
    }

    /** @throws IllegalArgumentException if the value is too small; the message is one line that names the option */
    T checked(Object value) {
        T known = type.cast(value);
        if (known.compareTo(least) < 0) {
            throw new IllegalArgumentException(
                    option + " must be at least " + written(least) + ", not " + written(known));
        }
        return known;
    }

    /** Writes a value as on the command line. */
    static String written(Object value) {
        return value instanceof Duration time ? DurationConverter.text(time) : value.toString();
    }
}

package io.penstock.loadtest.cli;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a duration with its unit: {@code 500us}, {@code 10ms}, {@code 1.2s}, {@code 5m}, {@code 1h}. {@code 0} needs no unit. */
public final class DurationConverter implements ITypeConverter<Duration> {
    private static final Pattern NUMBER_AND_UNIT = Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{1,9})?)(us|ms|s|m|h)");

    @Override
    public Duration convert(String text) {
        if (text.equals("0")) {
            return Duration.ZERO;
        }
        Matcher matcher = NUMBER_AND_UNIT.matcher(text);
        if (!matcher.matches()) {
            throw new TypeConversionException(
                    "'" + text + "' is not a duration: write a number and its unit, such as 500ms, 1.2s, 2m or 1h");
        }
        BigDecimal number = new BigDecimal(matcher.group(1));
        long nanosOfUnit =
                switch (matcher.group(2)) {
                    case "us" -> 1_000;
                    case "ms" -> 1_000_000;
                    case "s" -> 1_000_000_000;
                    case "m" -> 60_000_000_000L;
                    default -> 3_600_000_000_000L;
                };
        BigDecimal nanos = number.multiply(BigDecimal.valueOf(nanosOfUnit));
        BigDecimal[] secondsAndRest = nanos.divideAndRemainder(BigDecimal.valueOf(1_000_000_000));
        return Duration.ofSeconds(secondsAndRest[0].longValue(), secondsAndRest[1].longValue());
    }

    /** Writes the duration in the form in which users enter it on a command line. */
    public static String text(Duration duration) {
        long nanos = duration.toNanos();
        if (nanos == 0) {
            return "0";
        } else if (nanos % 1_000_000 != 0) {
            return nanos / 1000 + "us";
        } else if (nanos % 1_000_000_000 != 0) {
            return duration.toMillis() + "ms";
        } else if (duration.toSeconds() % 60 != 0) {
            return duration.toSeconds() + "s";
        }
        return duration.toMinutes() % 60 != 0 ? duration.toMinutes() + "m" : duration.toHours() + "h";
    }
}

package io.penstock.http;

import java.text.ParsePosition;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads HTTP dates (RFC 9110 section 5.6.7). Dates are written in the preferred format, and read in all three formats. Thread:
 * any.
 */
public final class HttpDate {
    private static final String[] DAYS = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
    private static final String[] MONTHS = {
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"
    };
    private static final long FIRST = LocalDateTime.of(1, 1, 1, 0, 0, 0).toEpochSecond(ZoneOffset.UTC);
    private static final long LAST = LocalDateTime.of(9999, 12, 31, 23, 59, 59).toEpochSecond(ZoneOffset.UTC);

    private HttpDate() {}

    /**
     * The formats for reading. This class is loaded only when the server reads a date for the first time. Every response has a date, but
     * few requests have a date.
     */
    private static final class Read {
        static final List<DateTimeFormatter> FORMATS = List.of(
                DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
                        .withZone(ZoneOffset.UTC),
                new DateTimeFormatterBuilder() // the format of RFC 850
                        .appendPattern("EEEE, dd-MMM-")
                        .appendValueReduced(ChronoField.YEAR, 2, 2, 1970)
                        .appendPattern(" HH:mm:ss 'GMT'")
                        .toFormatter(Locale.US)
                        .withZone(ZoneOffset.UTC),
                DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss yyyy", Locale.US) // the format of asctime in C
                        .withZone(ZoneOffset.UTC));
    }

    /**
     * Writes a date in the form {@code Sun, 06 Nov 1994 08:49:37 GMT}. The year has four digits. So a date after the year 9999 becomes the
     * last second of that year. This method uses no {@link DateTimeFormatter}. To create a formatter would take longer than any other step
     * of the server's first response.
     */
    public static String format(Instant instant) {
        long second = Math.max(FIRST, Math.min(instant.getEpochSecond(), LAST));
        LocalDateTime time = LocalDateTime.ofEpochSecond(second, 0, ZoneOffset.UTC);
        StringBuilder out = new StringBuilder(29);
        out.append(DAYS[time.getDayOfWeek().getValue() - 1]).append(", ");
        two(out, time.getDayOfMonth()).append(' ');
        out.append(MONTHS[time.getMonthValue() - 1]).append(' ');
        two(two(out, time.getYear() / 100), time.getYear() % 100).append(' ');
        two(out, time.getHour()).append(':');
        two(out, time.getMinute()).append(':');
        return two(out, time.getSecond()).append(" GMT").toString();
    }

    private static StringBuilder two(StringBuilder out, int number) {
        return out.append((char) ('0' + number / 10)).append((char) ('0' + number % 10));
    }

    /** Parses a date. Returns null if the text has none of the three formats, or if there is no such date. */
    public static @Nullable Instant parse(String text) {
        for (DateTimeFormatter format : Read.FORMATS) {
            ParsePosition position = new ParsePosition(0);
            TemporalAccessor parsed = format.parseUnresolved(text, position);
            if (parsed != null && position.getErrorIndex() < 0 && position.getIndex() == text.length()) {
                return resolve(text, format);
            }
        }
        return null;
    }

    /** Converts a date that has matched the format. Also checks the numbers: a 30th of February is refused. */
    private static @Nullable Instant resolve(String text, DateTimeFormatter format) {
        try {
            return LocalDateTime.parse(text, format).toInstant(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            return null;
        }
    }
}

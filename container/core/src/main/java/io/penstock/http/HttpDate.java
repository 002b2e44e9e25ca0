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

/** HTTP dates (RFC 9110 section 5.6.7): writes the preferred format, reads all three. */
public final class HttpDate {
    private static final DateTimeFormatter IMF_FIXDATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
            .withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter RFC_850 = new DateTimeFormatterBuilder()
            .appendPattern("EEEE, dd-MMM-")
            .appendValueReduced(ChronoField.YEAR, 2, 2, 1970)
            .appendPattern(" HH:mm:ss 'GMT'")
            .toFormatter(Locale.US)
            .withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter ASCTIME =
            DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss yyyy", Locale.US).withZone(ZoneOffset.UTC);
    private static final List<DateTimeFormatter> READABLE = List.of(IMF_FIXDATE, RFC_850, ASCTIME);
    private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
    private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

    private HttpDate() {}

    /**
     * Formats as {@code Sun, 06 Nov 1994 08:49:37 GMT}. The format has four digits for the year; a later moment becomes the last of the
     * year 9999.
     */
    public static String format(Instant instant) {
        Instant latest = instant.isAfter(LAST) ? LAST : instant;
        return IMF_FIXDATE.format(latest.isBefore(FIRST) ? FIRST : latest);
    }

    /** Parses a date; null if the text is in none of the three formats. */
    public static @Nullable Instant parse(String text) {
        for (DateTimeFormatter format : READABLE) {
            ParsePosition position = new ParsePosition(0);
            TemporalAccessor parsed = format.parseUnresolved(text, position);
            if (parsed != null && position.getErrorIndex() < 0 && position.getIndex() == text.length()) {
                return resolve(text, format);
            }
        }
        return null;
    }

    /** The text has the form of the format. Checks the numbers, too (no 30th of February). */
    private static @Nullable Instant resolve(String text, DateTimeFormatter format) {
        try {
            return LocalDateTime.parse(text, format).toInstant(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            return null;
        }
    }
}

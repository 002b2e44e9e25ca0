package io.penstock.accesslog;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Formats times with a precision of one second. Successive calls for times in the same second share one formatted text.
 *
 * <p>Thread: any, also several at once.
 */
final class TimestampFormat {
    private final DateTimeFormatter format;
    private volatile Known known = new Known(Long.MIN_VALUE, "");

    /** The last formatted second. */
    private record Known(long second, String text) {}

    private TimestampFormat(String pattern, ZoneId zone) {
        this.format = DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH).withZone(zone);
    }

    /** The format {@code 21/Nov/2026:14:08:16 +0100}. */
    static TimestampFormat common(ZoneId zone) {
        return new TimestampFormat("dd/MMM/yyyy:HH:mm:ss Z", zone);
    }

    /** The format {@code 2026-11-21}, in UTC. */
    static TimestampFormat date() {
        return new TimestampFormat("yyyy-MM-dd", ZoneOffset.UTC);
    }

    /** The format {@code 14:08:16}, in UTC. */
    static TimestampFormat time() {
        return new TimestampFormat("HH:mm:ss", ZoneOffset.UTC);
    }

    /** The format {@code 2026-11-21T14:08:16}, in UTC, without the name of the zone. */
    static TimestampFormat dateAndTime() {
        return new TimestampFormat("yyyy-MM-dd'T'HH:mm:ss", ZoneOffset.UTC);
    }

    String of(Instant moment) {
        Known last = known;
        if (last.second() != moment.getEpochSecond()) {
            last = new Known(moment.getEpochSecond(), format.format(moment));
            known = last;
        }
        return last.text();
    }
}

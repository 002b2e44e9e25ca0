package io.penstock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Tests the formats of dates in header fields (RFC 9110 section 5.6.7). */
final class Rfc9110Section567DatesTest {
    private static final Instant EXAMPLE = Instant.parse("1994-11-06T08:49:37Z");
    private static final DateTimeFormatter JDK_FORMAT = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
            .withZone(ZoneOffset.UTC);

    @Test
    void datesAreWrittenInThePreferredFormat() {
        assertEquals("Sun, 06 Nov 1994 08:49:37 GMT", HttpDate.format(EXAMPLE));
        assertEquals("Sun, 06 Nov 1994 08:49:37 GMT", HttpDate.format(EXAMPLE.plusNanos(999_999_999)));
    }

    @Test
    void theWrittenDatesOfEightYearsEqualTheDatesOfTheJdkFormatter() {
        Instant first = Instant.parse("1967-12-31T23:59:58Z");
        for (int day = 0; day < 8 * 366; day++) {
            Instant moment = first.plusSeconds(day * 86_401L);
            String written = HttpDate.format(moment);
            assertEquals(JDK_FORMAT.format(moment), written);
            assertEquals(moment, HttpDate.parse(written));
        }
    }

    @Test
    void yearsAreLimitedToTheRange1To9999() {
        assertEquals("Mon, 01 Jan 0001 00:00:00 GMT", HttpDate.format(Instant.MIN));
        assertEquals("Mon, 01 Jan 0001 00:00:00 GMT", HttpDate.format(Instant.parse("0001-01-01T00:00:00.5Z")));
        assertEquals("Fri, 31 Dec 9999 23:59:59 GMT", HttpDate.format(Instant.MAX));
    }

    @Test
    void datesInAllThreeFormatsAreParsedAndNullIsReturnedForInvalidDates() {
        assertEquals(EXAMPLE, HttpDate.parse("Sun, 06 Nov 1994 08:49:37 GMT"));
        assertEquals(EXAMPLE, HttpDate.parse("Sunday, 06-Nov-94 08:49:37 GMT"));
        assertEquals(EXAMPLE, HttpDate.parse("Sun Nov  6 08:49:37 1994"));
        assertNull(HttpDate.parse("Mon, 30 Feb 2026 08:49:37 GMT"));
        assertNull(HttpDate.parse("1994-11-06T08:49:37Z"));
    }
}

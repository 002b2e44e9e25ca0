package io.penstock.loadtest.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.TypeConversionException;

/** Tests the conversion of durations with a decimal fraction. The result is exact to a nanosecond. */
class DurationWithFractionTest {
    private final DurationConverter converter = new DurationConverter();

    @Test
    void durationsWithAFractionAreParsed() {
        assertEquals(Duration.ofMillis(1200), converter.convert("1.2s"));
        assertEquals(Duration.ofNanos(1500), converter.convert("1.5us"));
        assertEquals(Duration.ofSeconds(90), converter.convert("1.5m"));
        assertEquals(Duration.ofNanos(1), converter.convert("0.001us"));
        assertEquals(Duration.ofHours(999_999_999), converter.convert("999999999h"));
    }

    @Test
    void invalidDurationsAreRefused() {
        for (String wrong : new String[] {"1.s", ".5s", "1,5s", "-1s", "1.2.3s", "1.2"}) {
            assertThrows(TypeConversionException.class, () -> converter.convert(wrong), wrong);
        }
    }
}

package io.penstock.loadtest.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class DurationConverterTest {
    private final DurationConverter converter = new DurationConverter();

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "500us, 500000",
        "10ms, 10000000",
        "1500ms, 1500000000",
        "2s, 2000000000",
        "90s, 90000000000",
        "5m, 300000000000",
        "1h, 3600000000000"
    })
    void aDurationIsParsedAndFormattedBackToTheSameText(String text, long nanos) {
        Duration duration = converter.convert(text);
        assertEquals(nanos, duration.toNanos());
        assertEquals(text, DurationConverter.text(duration));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "10", "s", "-1s", "1 s", "1d", "10S", "1s2m", "99999999999s", "PT1S"})
    void theErrorMessageForInvalidTextContainsAnExample(String text) {
        TypeConversionException wrong = assertThrows(TypeConversionException.class, () -> converter.convert(text));
        assertTrue(wrong.getMessage().startsWith("'" + text + "' is not a duration"), wrong.getMessage());
        assertTrue(wrong.getMessage().contains("500ms"), wrong.getMessage());
    }
}

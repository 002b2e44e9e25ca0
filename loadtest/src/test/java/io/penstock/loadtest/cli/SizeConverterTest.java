package io.penstock.loadtest.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class SizeConverterTest {
    private final SizeConverter converter = new SizeConverter();

    @ParameterizedTest
    @CsvSource({"0, 0", "2300047434, 2300047434", "16k, 16384", "16K, 16384", "10m, 10485760", "3g, 3221225472"})
    void sizesWithAndWithoutAUnitAreParsed(String text, long bytes) {
        assertEquals(bytes, converter.convert(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "k", "-1", "1.5k", "1kb", "1 k", "9999999999999"})
    void invalidTextIsRefused(String text) {
        assertThrows(TypeConversionException.class, () -> converter.convert(text));
    }
}

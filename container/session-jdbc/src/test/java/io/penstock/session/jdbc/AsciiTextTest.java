package io.penstock.session.jdbc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the ASCII form of names in the database. */
class AsciiTextTest {
    @ParameterizedTest
    @CsvSource({"cart, cart", "a b~, a b~", "a\\b, a\\005cb", "é, \\00e9", "😀, \\d83d\\de00"})
    void printableAsciiIsUnchangedAndOtherCharactersAreEscaped(String text, String encoded) {
        assertEquals(encoded, AsciiText.encode(text));
    }

    @Test
    void aNulCharacterIsEscaped() {
        assertEquals("\\0000id", AsciiText.encode("\0id"));
    }

    @Test
    void eachUtf16CodeUnitHasADifferentEncoding() throws IOException {
        Map<String, Character> units = new HashMap<>();
        for (int unit = 0; unit <= Character.MAX_VALUE; unit++) {
            String text = String.valueOf((char) unit);
            String encoded = AsciiText.encode(text);
            assertEquals(text, AsciiText.decode(encoded));
            assertEquals(null, units.put(encoded, (char) unit));
            assertTrue(encoded.chars().allMatch(c -> c >= ' ' && c <= '~'), encoded);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\\", "\\000", "\\00g0", "\\00E9", "\\0041", "é", "\n", "a\\-001"})
    void invalidEncodingsAreRefused(String encoded) {
        assertThrows(IOException.class, () -> AsciiText.decode(encoded));
    }
}

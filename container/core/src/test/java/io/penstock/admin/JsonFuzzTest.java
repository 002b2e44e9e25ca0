package io.penstock.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Tests the JSON writer with random texts. Each text becomes a JSON string on one line, without the characters {@code <} and {@code >}. A
 * line break would end an event in an event stream. A tag could end a script in an HTML page.
 */
class JsonFuzzTest {

    @FuzzTest
    void aParserReadsTheOriginalTextFromTheJson(byte[] data) {
        // The decoder replaces unpaired surrogates. So the text is valid Unicode.
        String text = new String(data, StandardCharsets.UTF_16BE);
        String json = new Json().array().value(text).end().toString();
        assertEquals(List.of(text), JsonValue.read(json));
        assertTrue(
                json.chars().noneMatch(c -> c < ' ' || c == '<' || c == '>' || c == 0x7f || c == 0x85 || c == 0x2028),
                json);
        byte[] sent = json.getBytes(StandardCharsets.UTF_8);
        assertEquals(List.of(text), JsonValue.read(new String(sent, StandardCharsets.UTF_8)));
    }

    /** Makes one char from each byte. Some of the chars are unpaired surrogates. */
    @FuzzTest
    void textWithUnpairedSurrogatesIsStillOneString(byte[] data) {
        StringBuilder text = new StringBuilder();
        for (byte one : data) {
            text.append((char) (one << 8 | 0xff & one));
        }
        String json = new Json().array().value(text.toString()).end().toString();
        byte[] sent = json.getBytes(StandardCharsets.UTF_8);
        Object read = JsonValue.read(new String(sent, StandardCharsets.UTF_8));
        assertEquals(1, ((List<?>) read).size());
    }
}

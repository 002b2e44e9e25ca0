package io.penstock.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Every text becomes one JSON string on one line, without the characters of a tag. This is necessary because an event of the flow board's
 * stream ends at a line end, and a script ends at a tag.
 */
class JsonFuzzTest {

    @FuzzTest
    void textIsReadUnchanged(byte[] data) {
        // An unpaired surrogate becomes one replacement character.
        String text = new String(data, StandardCharsets.UTF_16BE);
        String json = new Json().array().value(text).end().toString();
        assertEquals(List.of(text), JsonValue.read(json));
        assertTrue(
                json.chars().noneMatch(c -> c < ' ' || c == '<' || c == '>' || c == 0x7f || c == 0x85 || c == 0x2028),
                json);
        byte[] sent = json.getBytes(StandardCharsets.UTF_8);
        assertEquals(List.of(text), JsonValue.read(new String(sent, StandardCharsets.UTF_8)));
    }

    /** Makes one char from each byte, also unpaired surrogates. */
    @FuzzTest
    void invalidUnicodeIsOneString(byte[] data) {
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

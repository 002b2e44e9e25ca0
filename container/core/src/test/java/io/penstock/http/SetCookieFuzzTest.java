package io.penstock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Fuzz test for cookies that an application sets. The name, the value and the attributes are random texts. The server must refuse the
 * cookie, or write exactly this cookie. The texts must not add further attributes.
 */
class SetCookieFuzzTest {

    @FuzzTest
    void textsOfTheApplicationCannotAddAttributes(byte[] data) throws Violation {
        String[] texts = new String(data, StandardCharsets.UTF_8).split("\n\n", 6);
        if (texts.length < 6) {
            return;
        }
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put("Path", texts[2]);
        attributes.put("Domain", texts[3]);
        attributes.put(texts[4], texts[5]);
        String field;
        try {
            field = SetCookie.format(texts[0], texts[1], attributes, Instant.EPOCH);
        } catch (IllegalArgumentException refused) {
            assertTrue(refused.getMessage().chars().allMatch(c -> c >= ' ' && c < 0x7f), refused.getMessage());
            return;
        }
        assertTrue(field.chars().allMatch(c -> c >= ' ' && c < 0x7f), field);
        String[] parts = field.split(";", -1);
        assertTrue(parts.length <= 2 + attributes.size(), field); // a Max-Age attribute adds an Expires attribute
        assertEquals(
                List.of(new RequestCookie(texts[0], texts[1])),
                Cookies.of(new FieldList().add("Cookie", parts[0]), 1, TightForms.memory()),
                field);
    }
}

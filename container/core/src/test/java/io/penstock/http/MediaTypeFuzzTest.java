package io.penstock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Fuzz test for media types and for lists of languages ({@code Accept-Language}). If a media type is written and read again, the result
 * must be the same. A list of languages must have a limited length, and must not contain a language twice.
 */
class MediaTypeFuzzTest {
    private static final int MAX_LANGUAGES = 64;

    @FuzzTest
    void mediaTypesAndLanguageListsAreWellFormed(byte[] data) {
        String text = FuzzedText.fieldValue(data);
        MediaType type = MediaType.parse(text);
        if (type != null) {
            assertTrue(FieldSyntax.isToken(type.type()) && FieldSyntax.isToken(type.subtype()));
            assertTrue(FieldSyntax.isValue(type.toString()));
            assertEquals(type, MediaType.parse(type.toString()));
        }
        List<Locale> languages = AcceptLanguage.parse(List.of(text));
        assertTrue(languages.size() <= MAX_LANGUAGES);
        assertEquals(Set.copyOf(languages).size(), languages.size());
    }
}

package io.penstock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Any text as a media type, and as a list of languages: what was read as a type reads the same when it is written again; of languages
 * there are never more than anybody needs, and none twice.
 */
class MediaTypeFuzzTest {
    private static final int MOST_LANGUAGES = 64;

    @FuzzTest
    void typesReadTheSameWrittenAgain(byte[] data) {
        String text = FuzzedText.fieldValue(data);
        MediaType type = MediaType.parse(text);
        if (type != null) {
            assertTrue(FieldSyntax.isToken(type.type()) && FieldSyntax.isToken(type.subtype()));
            assertTrue(FieldSyntax.isValue(type.toString()));
            assertEquals(type, MediaType.parse(type.toString()));
        }
        List<Locale> languages = AcceptLanguage.parse(List.of(text));
        assertTrue(languages.size() <= MOST_LANGUAGES);
        assertEquals(Set.copyOf(languages).size(), languages.size());
    }
}

package io.penstock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class Rfc9110MediaTypeTest {

    private static MediaType parse(String text) {
        MediaType type = MediaType.parse(text);
        assertNotNull(type, text);
        return type;
    }

    @Test
    void typesAndParameterNamesBecomeLowerCaseAndValuesKeepTheirCase() {
        MediaType type = parse("Text/HTML;CharSet=\"UTF-8\"; q=\"a\\\"b;c\" ;x=Y");
        assertEquals("text/html", type.essence());
        assertEquals("UTF-8", type.charset());
        assertEquals(Map.of("charset", "UTF-8", "q", "a\"b;c", "x", "Y"), type.parameters());
        assertEquals("text/html;charset=UTF-8;q=\"a\\\"b;c\";x=Y", type.toString());
    }

    @Test
    void theFirstOfTwoParametersWithTheSameNameIsUsed() {
        assertEquals("a", parse("text/plain; charset=a; charset=b").charset());
    }

    @Test
    void anEmptyOrMalformedParameterDoesNotAffectOtherParameters() {
        assertEquals(Map.of("a", "1", "b", "2"), parse("a/b;;a=1; ;b=2;").parameters());
        assertEquals(Map.of("a", "1"), parse("a/b;a=1;junk").parameters());
        assertEquals(Map.of("a", "open"), parse("a/b;a=\"open").parameters());
        assertEquals(Map.of(), parse("a/b ").parameters());
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "text", "/", "text/", "/html", "te xt/html", "text/html/x", "text/ht ml;a=b", ";a=b"})
    void nullIsReturnedForAnInvalidMediaType(String text) {
        assertNull(MediaType.parse(text));
    }

    @Test
    void quotesAndBackslashesAreEscapedInAQuotedStringButLineBreaksAreRefused() {
        assertEquals("\"a\\\\\\\"b\"", QuotedString.quote("a\\\"b"));
        assertThrows(IllegalArgumentException.class, () -> QuotedString.quote("a\r\nb"));
    }
}

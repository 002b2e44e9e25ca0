package io.penstock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class Rfc6265CookiesTest {
    private static final Instant NOW = Instant.parse("1994-11-06T08:49:37Z");

    private static List<RequestCookie> cookies(String... lines) {
        FieldList fields = new FieldList().add("Host", "x");
        for (String line : lines) {
            fields.add("cookie", line);
        }
        try {
            return Cookies.of(fields, 3, TightForms.memory());
        } catch (Violation tooMany) {
            return List.of(cookie("too many", String.valueOf(tooMany.status())));
        }
    }

    private static RequestCookie cookie(String name, String value) {
        return new RequestCookie(name, value);
    }

    @Test
    void cookiesOfAllCookieFieldsAreReturnedInOrder() {
        assertEquals(List.of(cookie("a", "1"), cookie("b", "2"), cookie("a", "3")), cookies("a=1; b=2", "a=3"));
    }

    @Test
    void aQuotedCookieValueKeepsItsQuotes() {
        assertEquals(List.of(cookie("name1", "\"value1\"")), cookies("name1=\"value1\""));
    }

    @Test
    void aSemicolonBetweenQuotesEndsTheCookie() {
        assertEquals(List.of(cookie("a", "\"x"), cookie("JSESSIONID", "y\"")), cookies("a=\"x; JSESSIONID=y\""));
    }

    @Test
    void aMalformedCookieIsSkippedAndTheOtherCookiesAreRead() {
        assertEquals(
                List.of(cookie("a", "1"), cookie("b", "2")),
                cookies("a=1; nothing; =v; na me=v; n@me=x; c=\u0001; ;; b=2;"));
    }

    @Test
    void cookieValuesWithQuotesAndSpacesAndCommasAreReadUnchanged() {
        assertEquals(List.of(cookie("j", "{\"a\": 1, \"b\"=2}")), cookies("j={\"a\": 1, \"b\"=2}"));
        assertEquals(List.of(cookie("e", "")), cookies("e="));
    }

    @Test
    void nonAsciiOctetsAreReadAsLatin1IfTheyAreNotValidUtf8() {
        String wire = new String("f\u00fc".getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        assertEquals(List.of(cookie("u", "f\u00fc"), cookie("l", "f\u00fc")), cookies("u=" + wire + "; l=f\u00fc"));
    }

    @Test
    void aRequestWithTooManyCookiesIsRefusedWith431() {
        List<RequestCookie> refused = List.of(cookie("too many", "431"));
        assertEquals(3, cookies("a=1;b=2", "a=1;;").size());
        assertEquals(refused, cookies("a=1;b=2", "a=1; b=2"));
        assertEquals(refused, cookies("a=1;a=1;a=1;a=1"));
    }

    @Test
    void aMissingOrEmptyCookieFieldGivesNoCookies() {
        assertEquals(List.of(), cookies());
        assertEquals(List.of(), cookies("", ";", "  "));
    }

    private static String set(String name, String value, String... attributes) {
        Map<String, String> map = new LinkedHashMap<>();
        for (int i = 0; i < attributes.length; i += 2) {
            map.put(attributes[i], attributes[i + 1]);
        }
        return SetCookie.format(name, value, map, NOW);
    }

    @Test
    void setCookieAttributesAreWrittenInTheGivenOrder() {
        assertEquals(
                "id=7; Path=/app; Domain=example.org; Secure; HttpOnly; SameSite=Lax; Partitioned; Priority=High",
                set(
                        "id",
                        "7",
                        "Path",
                        "/app",
                        "domain",
                        "example.org",
                        "Secure",
                        "",
                        "HttpOnly",
                        "",
                        "SameSite",
                        "Lax",
                        "Partitioned",
                        "",
                        "Priority",
                        "High"));
    }

    @Test
    void aPositiveMaxAgeIsWrittenAsAMaxAgeAttributeAndAnExpiresAttribute() {
        assertEquals("a=; Max-Age=60; Expires=Sun, 06 Nov 1994 08:50:37 GMT", set("a", "", "Max-Age", "60"));
    }

    @Test
    void aMaxAgeOfZeroIsWrittenAsAnExpiresDateInThePast() {
        assertEquals("a=b; Expires=Thu, 01 Jan 1970 00:00:00 GMT", set("a", "b", "Max-Age", "0"));
    }

    @Test
    void theLargestMaxAgeDoesNotOverflow() {
        assertEquals(
                "a=b; Max-Age=" + Long.MAX_VALUE + "; Expires=Fri, 24 Nov 2062 12:03:44 GMT",
                set("a", "b", "Max-Age", Long.toString(Long.MAX_VALUE)));
    }

    @Test
    void aSecureOrHttpOnlyAttributeWithAnInvalidValueIsNotWritten() {
        assertEquals("a=b", set("a", "b", "Secure", "other", "HttpOnly", "other"));
    }

    @Test
    void aQuotedValueAndAQuotedPathAreWrittenUnchanged() {
        assertEquals("a=\"b\"; Path=\"/x\"", set("a", "\"b\"", "Path", "\"/x\""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a\r\nSet-Cookie: x=y", "a;b", "a b", "a,b", "a\"b", "\"", "\"a", "a\\b", "f\u00fc", "a\u0000"})
    void aCookieValueWithAnInvalidCharacterIsRefused(String value) {
        assertThrows(IllegalArgumentException.class, () -> set("a", value));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a b", "a=b", "a;b", "a\r\n", "f\u00fc"})
    void aCookieNameThatIsNotATokenIsRefused(String name) {
        IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class, () -> set(name, "v"));
        assertFalse(refusal.getMessage().contains("\n"));
    }

    @Test
    void invalidSetCookieAttributesAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> set("a", "b", "Path", "/; Secure"));
        assertThrows(IllegalArgumentException.class, () -> set("a", "b", "Path", "/\r\nX: y"));
        assertThrows(IllegalArgumentException.class, () -> set("a", "b", "Pa th", "/"));
        assertThrows(IllegalArgumentException.class, () -> set("a", "b", "Domain", "a b"));
        assertThrows(IllegalArgumentException.class, () -> set("a", "b", "SameSite", "Sometimes"));
        assertThrows(IllegalArgumentException.class, () -> set("a", "b", "Max-Age", "soon"));
    }
}

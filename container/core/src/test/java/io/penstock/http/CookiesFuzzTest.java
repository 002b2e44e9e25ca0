package io.penstock.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import jakarta.servlet.http.Cookie;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Fuzz test for the {@code Cookie} field. The name and the value of each cookie must be valid for {@link Cookie}. A semicolon must always
 * end a cookie, so the text before a semicolon has no influence on the cookies after the semicolon. If the cookies are written and read
 * again, the result must be the same.
 */
class CookiesFuzzTest {

    private static List<RequestCookie> read(String... lines) {
        FieldList fields = new FieldList();
        for (String line : lines) {
            fields.add("Cookie", line);
        }
        try {
            return Cookies.of(fields, Integer.MAX_VALUE, TightForms.memory());
        } catch (Violation impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static List<RequestCookie> joined(List<RequestCookie> first, List<RequestCookie> second) {
        List<RequestCookie> both = new ArrayList<>(first);
        both.addAll(second);
        return both;
    }

    @FuzzTest
    void aSemicolonAlwaysEndsACookie(byte[] data) {
        String line = FuzzedText.fieldValue(data);
        List<RequestCookie> cookies = read(line);
        for (RequestCookie cookie : cookies) {
            assertTrue(FieldSyntax.isToken(cookie.name()), cookie.toString());
            assertFalse(cookie.value().contains(";"), cookie.toString());
            Cookie given = new Cookie(cookie.name(), cookie.value());
            assertEquals(cookie.value(), given.getValue());
        }
        for (int at = 0; at <= line.length(); at += 1 + line.length() / 20) {
            String before = line.substring(0, at);
            String behind = line.substring(at);
            List<RequestCookie> apart = joined(read(before), read(behind));
            assertEquals(apart, read(before + ";" + behind));
            assertEquals(apart, read(before, behind));
        }
        String again = cookies.stream()
                .map(cookie -> cookie.name() + "="
                        + new String(cookie.value().getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1))
                .collect(Collectors.joining("; "));
        assertEquals(cookies, read(again));
    }
}

package io.penstock.http;

import io.penstock.limits.Key;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads {@code Cookie} fields (RFC 6265 section 4.2) leniently: malformed pairs are skipped. */
public final class Cookies {
    private Cookies() {}

    /**
     * Returns the cookies of all {@code Cookie} lines, in order. A name may occur several times.
     *
     * @throws Violation if there are more than {@code most} cookies
     */
    public static List<RequestCookie> of(Fields fields, int most) throws Violation {
        List<RequestCookie> cookies = new ArrayList<>();
        for (int i = 0, n = fields.size(); i < n; i++) {
            if (fields.isNamed(i, "Cookie")) {
                parse(fields.value(i), cookies, most);
            }
        }
        return cookies;
    }

    /**
     * Adds the cookies of one field value. A semicolon ends a pair even between quotes, as in browsers. Otherwise an unmatched quote in one
     * cookie could hide the next cookie.
     */
    private static void parse(String value, List<RequestCookie> into, int most) throws Violation {
        int start = 0;
        while (start < value.length()) {
            int semicolon = value.indexOf(';', start);
            int end = semicolon < 0 ? value.length() : semicolon;
            RequestCookie cookie = pair(value.substring(start, end));
            if (cookie != null) {
                if (into.size() == most) {
                    throw new Violation(Key.MAX_COOKIES);
                }
                into.add(cookie);
            }
            start = end + 1;
        }
    }

    private static @Nullable RequestCookie pair(String pair) {
        int equals = pair.indexOf('=');
        if (equals < 0) {
            return null;
        }
        String name = pair.substring(0, equals).strip();
        String value = pair.substring(equals + 1).strip();
        if (!FieldSyntax.isToken(name) || !FieldSyntax.isValue(value)) {
            return null;
        }
        return new RequestCookie(name, text(value));
    }

    /** Decodes UTF-8, which browsers use for cookies that scripts have set. If the text is not valid UTF-8, each octet becomes one char. */
    private static String text(String value) {
        byte[] octets = value.getBytes(StandardCharsets.ISO_8859_1);
        for (byte octet : octets) {
            if (octet < 0) {
                return Utf8.orLatin1(octets, 0, octets.length);
            }
        }
        return value;
    }
}
